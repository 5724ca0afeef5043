export { CANNOT_PLAY, FAILED, runProgram } from "./program.js";
export type { Latency, Report } from "./report.js";
export { type Decide, Runner, type RunnerOptions } from "./runner.js";
export type { Seated, Turn } from "./turn.js";
