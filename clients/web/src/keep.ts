/** What the browser remembers. A browser that forbids it forgets at the end of the visit. */
const visit = new Map<string, string>();

export function recall<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`shedu:${key}`) ?? visit.get(key);
    return text === undefined || text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function remember(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  visit.set(key, text);
  try {
    localStorage.setItem(`shedu:${key}`, text);
  } catch {
    // Full or forbidden: the visit remembers.
  }
}

export function forget(key: string): void {
  visit.delete(key);
  try {
    localStorage.removeItem(`shedu:${key}`);
  } catch {
    // Forbidden: nothing was kept.
  }
}

export function recalledKeys(prefix: string): string[] {
  const keys = new Set(visit.keys());
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith("shedu:")) keys.add(key.slice("shedu:".length));
  } catch {
    // Forbidden: the visit is all there is.
  }
  return [...keys].filter((key) => key.startsWith(prefix));
}
