export type FormValue = string | FormValue[] | { [key: string]: FormValue }

const maxPairs = 1000
const maxDepth = 8

/**
 * Parses a form-encoded body with nested keys, as Stripe's clients write it: `metadata[order]=7`,
 * `expand[0]=latest_charge`, `expand[]=…`. An object with the keys 0, 1, 2 … becomes an array. Returns null for a
 * malformed body, such as one with an unbalanced key, a key used as both value and parent, or more pairs or depth than
 * real requests have.
 */
export function parseFormBody(text: string): Record<string, FormValue> | null {
  const root: Node = new Map()
  let pairs = 0
  for (const [key, value] of new URLSearchParams(text)) {
    pairs += 1
    const path = keyPath(key)
    if (path === null || pairs > maxPairs || !place(root, path, value)) return null
  }
  return Object.fromEntries([...root].map(([key, node]) => [key, settle(node)]))
}

type Node = Map<string, Node | string>

/** `a[b][c]` is ['a', 'b', 'c']; `a[]` is ['a', '']. */
function keyPath(key: string): string[] | null {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key)
  if (!match) return null
  const inner = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')
  const path = [match[1] ?? '', ...inner]
  return path.length > maxDepth || path.includes('__proto__') ? null : path
}

function place(root: Node, path: string[], value: string): boolean {
  let node = root
  for (const [depth, part] of path.entries()) {
    const key = part === '' ? String(node.size) : part
    const there = node.get(key)
    if (depth === path.length - 1) {
      if (there instanceof Map) return false
      node.set(key, value)
    } else {
      if (typeof there === 'string') return false
      const child: Node = there ?? new Map()
      node.set(key, child)
      node = child
    }
  }
  return true
}

function settle(node: Node | string): FormValue {
  if (typeof node === 'string') return node
  const entries = [...node]
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index))
  return isList
    ? entries.map(([, child]) => settle(child))
    : Object.fromEntries(entries.map(([key, child]) => [key, settle(child)]))
}
