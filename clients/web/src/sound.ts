import { preferences } from "./preferences";

let context: AudioContext | undefined;

/** Plays two soft notes, if the player enabled sound. */
export function ring(): void {
  if (!preferences.get().sound) return;
  context ??= new AudioContext();
  note(context, 523, 0);
  note(context, 784, 0.16);
}

/** Plays a short low note for a move of another player, if the player enabled sound. */
export function tap(): void {
  if (!preferences.get().sound) return;
  context ??= new AudioContext();
  note(context, 262, 0);
}

function note(context: AudioContext, frequency: number, after: number): void {
  const start = context.currentTime + after;
  const [voice, volume] = [context.createOscillator(), context.createGain()];
  voice.frequency.value = frequency;
  volume.gain.setValueAtTime(0.12, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + 0.5);
  voice.connect(volume).connect(context.destination);
  voice.start(start);
  voice.stop(start + 0.5);
}
