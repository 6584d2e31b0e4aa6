/**
 * A custom lint rule that requires an assertion to compare one value. If a list of different values fails, it isn't
 * clear which one was wrong.
 */
const matchers = new Set(['toEqual', 'toStrictEqual', 'toMatchObject'])

/** Whether a node lists two or more values one by one. */
function isTuple(node) {
  return (
    node?.type === 'ArrayExpression' &&
    node.elements.length > 1 &&
    node.elements.every((element) => element !== null && element.type !== 'SpreadElement')
  )
}

/** The call of `expect` that a matcher belongs to, past `.not`, `.resolves` and `.rejects`. */
function expectCall(node) {
  if (node.type === 'MemberExpression') return expectCall(node.object)
  if (node.type !== 'CallExpression') return undefined
  const { callee } = node
  const name = callee.type === 'MemberExpression' ? callee.object.name : callee.name
  return name === 'expect' ? node : undefined
}

const rule = {
  meta: { type: 'problem', messages: { tuple: 'Compare one value per assertion, or an object with names.' } },
  create(context) {
    return {
      CallExpression(node) {
        if (node.callee.type !== 'MemberExpression' || !matchers.has(node.callee.property.name)) return
        const actual = expectCall(node.callee.object)?.arguments[0]
        if (isTuple(actual) && isTuple(node.arguments[0])) context.report({ node, messageId: 'tuple' })
      },
    }
  },
}

export default { meta: { name: 'sidewall-tuples' }, rules: { 'one-value': rule } }
