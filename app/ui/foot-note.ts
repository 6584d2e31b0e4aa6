/** What the foot of the window says, from wherever it is told. */
let told: string | null = null
const listeners = new Set<() => void>()

/** Says it at the foot of the window; null takes it away. */
export function tell(words: string | null): void {
  if (told === words) return
  told = words
  for (const listener of listeners) listener()
}

/** What was told last; null after a form that arrived. For `useSyncExternalStore`. */
export function readTold(): string | null {
  return told
}

export function watchTold(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}
