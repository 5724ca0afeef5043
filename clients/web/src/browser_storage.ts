/** Values in `localStorage`, with a copy in memory for browsers that forbid it. */
const visit = new Map<string, string>();

export function readStored<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`shedu:${key}`) ?? visit.get(key);
    return text === undefined || text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function writeStored(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  visit.set(key, text);
  try {
    localStorage.setItem(`shedu:${key}`, text);
  } catch {
    // Full or forbidden: the copy in memory is used.
  }
}

export function removeStored(key: string): void {
  visit.delete(key);
  try {
    localStorage.removeItem(`shedu:${key}`);
  } catch {
    // Forbidden: nothing was stored.
  }
}

export function storedKeys(prefix: string): string[] {
  const keys = new Set(visit.keys());
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith("shedu:")) keys.add(key.slice("shedu:".length));
  } catch {
    // Forbidden: only the copy in memory is used.
  }
  return [...keys].filter((key) => key.startsWith(prefix));
}
