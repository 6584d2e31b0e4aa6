/**
 * A source file's mutants. A mutant is a small fault that a test should detect. All are in one copy of the file, each
 * behind a switch, so that tests are loaded once and run against each.
 */
import { parseSync } from 'vite'

/** One fault. `was` and `becomes` are for display. */
export type Mutant = {
  readonly id: number
  readonly file: string
  readonly line: number
  readonly was: string
  readonly becomes: string
}

export type MutatedFile = { readonly mutants: readonly Mutant[]; readonly code: string }

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown }
/** `becomes` replaces the node; a `guard` precedes code that is skipped while it is true. */
type Fault = { readonly becomes: string } | { readonly guard: 'return' | 'skip' }

/**
 * Finds a TypeScript file's mutants and writes a copy with those that `isChosen`. IDs start at `firstId`. Changes only
 * code inside functions because values computed during module loading can't be switched later. Doesn't change strings,
 * names, and numbers.
 */
export function mutate(
  file: string,
  source: string,
  { firstId = 1, isChosen = () => true }: { firstId?: number; isChosen?: (id: number) => boolean } = {},
): MutatedFile {
  const { program, errors } = parseSync(file, source, { lang: 'ts' })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const mutants: Mutant[] = []
  return {
    code: render(program as unknown as Node, { isInside: false, isFixed: false, parent: undefined, inChain: false }),
    mutants,
  }

  function render(node: Node, at: Place): string {
    const original = source.slice(node.start, node.end)
    const chosen = at.isInside && !isType(node) ? faultsOf(node, at, textOf).flatMap((fault) => note(node, fault)) : []
    let text = isType(node) ? original : splice(node, original, at)
    for (const { id, fault } of chosen) {
      if ('becomes' in fault) text = `(globalThis.__mutant?.(${id}) ? ${fault.becomes} : ${text})`
      else if (fault.guard === 'return') text = `{ if (globalThis.__mutant?.(${id})) return; ${text.slice(1)}`
      else text = `{ if (!globalThis.__mutant?.(${id})) ${text} }`
    }
    // Without a semicolon before it, a statement that begins with a parenthesis would be arguments of the line above.
    const isCall = node.type === 'ExpressionStatement' && text.startsWith('(') && !original.startsWith('(')
    return isCall ? `{ ${text} }` : text
  }

  function note(node: Node, fault: Fault): { id: number; fault: Fault }[] {
    const id = firstId + mutants.length
    const line = source.slice(0, node.start).split('\n').length
    const becomes = 'becomes' in fault ? fault.becomes : '{}'
    mutants.push({ id, file, line, was: short(source.slice(node.start, node.end)), becomes: short(becomes) })
    return isChosen(id) ? [{ id, fault }] : []
  }

  /** The node's text with its children rendered. */
  function splice(node: Node, original: string, at: Place): string {
    let text = ''
    let from = node.start
    for (const [key, child] of childrenOf(node)) {
      if (child.start < from) continue
      text += source.slice(from, child.start) + render(child, placeOf(node, key, child, at))
      from = child.end
    }
    return from === node.start ? original : text + source.slice(from, node.end)
  }

  function textOf(node: Node): string {
    return source.slice(node.start, node.end)
  }
}

type Place = {
  /** Inside a function. */
  readonly isInside: boolean
  /** Whether the node can't be replaced by an expression, such as an assignment's target or a callee. */
  readonly isFixed: boolean
  readonly inChain: boolean
  readonly parent: Node | undefined
}

function placeOf(node: Node, key: string, child: Node, at: Place): Place {
  const isLink =
    (node.type === 'MemberExpression' && key === 'object') || (node.type === 'CallExpression' && key === 'callee')
  const passesThrough = isLink || (node.type === 'TSNonNullExpression' && at.inChain)
  const inChain = node.type === 'ChainExpression' || (at.inChain && passesThrough)
  const isFixed = inChain || isTarget(node, key) || child.type.endsWith('Pattern')
  return { isInside: at.isInside || isFunction(node), isFixed, inChain, parent: node }
}

/** Whether the child at `key` is a name, or is called, assigned or deleted. */
function isTarget(node: Node, key: string): boolean {
  switch (key) {
    case 'callee':
      return node.type === 'CallExpression' || node.type === 'NewExpression'
    case 'left':
      return /^(Assignment|For(In|Of))/.test(node.type)
    case 'argument':
      return node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node['operator'] === 'delete')
    case 'tag':
    case 'id':
      return true
    case 'key':
    case 'property':
      return node['computed'] !== true
    default:
      return false
  }
}

type TextOf = (node: Node) => string

function faultsOf(node: Node, { isFixed, parent }: Place, textOf: TextOf): Fault[] {
  if (node.type === 'BlockStatement') return blockFaults(node, parent)
  if (node.type === 'AssignmentExpression' || node.type === 'UpdateExpression') return changeFaults(node, textOf)
  if (isFixed) return []
  switch (node.type) {
    case 'BinaryExpression':
      return isText(node) ? [] : swapped(node, comparisons, textOf)
    case 'LogicalExpression':
      return swapped(node, joints, textOf)
    case 'UnaryExpression':
      return signFaults(node, textOf)
    case 'Literal':
      return typeof node['value'] === 'boolean' ? [{ becomes: String(!node['value']) }] : []
    case 'ArrayExpression':
      return (node['elements'] as Node[]).length > 0 ? [{ becomes: '[]' }] : []
    case 'CallExpression':
      return callFaults(node, textOf)
    default:
      return conditionFaults(node, parent)
  }
}

/** The operation with another operator between its two sides. */
function swapped(node: Node, operators: Readonly<Record<string, readonly string[]>>, textOf: TextOf): Fault[] {
  const [left, right] = [textOf(node['left'] as Node), textOf(node['right'] as Node)]
  return (operators[String(node['operator'])] ?? []).map((operator) => ({
    becomes: `(${left}) ${operator} (${right})`,
  }))
}

/** `+=` and `++` reversed. */
function changeFaults(node: Node, textOf: TextOf): Fault[] {
  if (node.type === 'UpdateExpression') {
    const operator = node['operator'] === '++' ? '--' : '++'
    const target = textOf(node['argument'] as Node)
    return [{ becomes: node['prefix'] === true ? `${operator}${target}` : `${target}${operator}` }]
  }
  const [left, right] = [textOf(node['left'] as Node), textOf(node['right'] as Node)]
  return (assignments[String(node['operator'])] ?? []).map((operator) => ({
    becomes: `(${left} ${operator} (${right}))`,
  }))
}

/** A removed "not" or minus. */
function signFaults(node: Node, textOf: TextOf): Fault[] {
  // Before a colon, bare parentheses would be parsed as an arrow function with a return type.
  const sign = signs[String(node['operator'])]
  return sign === undefined ? [] : [{ becomes: `${sign}(${textOf(node['argument'] as Node)})` }]
}

/** A short function's result, and whole conditions. Comparisons and logical operators have their own faults. */
function conditionFaults(node: Node, parent: Node | undefined): Fault[] {
  if (parent?.type === 'ArrowFunctionExpression' && parent['body'] === node && parent['expression'] === true)
    return [{ becomes: 'undefined' }]
  const asks = (parent?.type === 'IfStatement' || parent?.type === 'ConditionalExpression') && parent['test'] === node
  return asks ? [{ becomes: 'true' }, { becomes: 'false' }] : []
}

function blockFaults(node: Node, parent: Node | undefined): Fault[] {
  if ((node['body'] as Node[]).length === 0 || !parent) return []
  if (isFunction(parent)) return [{ guard: 'return' }]
  return parent.type === 'IfStatement' || /^(For|While)/.test(parent.type) ? [{ guard: 'skip' }] : []
}

function callFaults(node: Node, textOf: TextOf): Fault[] {
  const callee = node['callee'] as Node
  if (callee.type !== 'MemberExpression' || callee['computed'] === true) return []
  const name = String((callee['property'] as Node)['name'])
  const object = textOf(callee['object'] as Node)
  const other = (isMove(node) ? moves : twins).get(name)
  if (other !== undefined) {
    const whole = textOf(node)
    const start = (callee['property'] as Node).start - node.start
    return [{ becomes: `${whole.slice(0, start)}${other}${whole.slice(start + name.length)}` }]
  }
  return leftOut.has(name) ? [{ becomes: object.startsWith('(') ? `${object}.valueOf()` : object }] : []
}

/** `day.add({ days: 1 })`: of a time, not of a set. */
function isMove(node: Node): boolean {
  return (node['arguments'] as Node[])[0]?.type === 'ObjectExpression'
}

/** Returns whether the node is string concatenation. A minus would give NaN, which any test detects. */
function isText(node: Node): boolean {
  return node['operator'] === '+' && ['left', 'right'].some((side) => isTextPart(node[side] as Node))
}

function isTextPart(node: Node): boolean {
  return (
    node.type === 'TemplateLiteral' ||
    (node.type === 'Literal' && typeof node['value'] === 'string') ||
    (node.type === 'BinaryExpression' && isText(node))
  )
}

function isFunction({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
}

/** Whether the node exists only for the compiler. */
function isType({ type }: Node): boolean {
  return (
    type.startsWith('TS') &&
    !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSTypeAssertion'].includes(type)
  )
}

/** In source order. */
function childrenOf(node: Node): [key: string, child: Node][] {
  const found: [string, Node][] = []
  for (const [key, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(child)) found.push([key, child])
  }
  return found.sort(([, a], [, b]) => a.start - b.start)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= 90 ? line : `${line.slice(0, 87)}...`
}

const comparisons: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
}
const joints: Readonly<Record<string, readonly string[]>> = { '&&': ['||'], '||': ['&&'], '??': ['&&'] }
const assignments: Readonly<Record<string, readonly string[]>> = {
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
}
const signs: Readonly<Record<string, string>> = { '!': '!!', '-': '+' }
const twins: ReadonlyMap<string, string> = new Map(
  Object.entries({
    every: 'some',
    some: 'every',
    min: 'max',
    max: 'min',
    floor: 'ceil',
    ceil: 'floor',
    startsWith: 'endsWith',
    endsWith: 'startsWith',
  }),
)
const moves: ReadonlyMap<string, string> = new Map(Object.entries({ add: 'subtract', subtract: 'add' }))
/**
 * Calls that return a changed version of their receiver. Removing the call means no change. `where` and the locks are
 * Kysely's.
 */
const leftOut: ReadonlySet<string> = new Set([
  'filter',
  'toSorted',
  'sort',
  'toReversed',
  'reverse',
  'slice',
  'trim',
  'toLowerCase',
  'where',
  'forUpdate',
  'forNoKeyUpdate',
])
