/**
 * A custom lint rule that allows only `platform/time-text.ts` to format times. Its functions require and show a time
 * zone.
 */
const remedy = 'Write times of day with platform/time-text.ts, which names the clock they are on.'

const options = new Set(['hour', 'minute', 'second', 'hour12', 'timeStyle', 'timeZoneName'])

const rule = {
  meta: { type: 'problem', messages: { remedy } },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'remedy' })
    return {
      CallExpression(node) {
        const { callee } = node
        if (callee.type !== 'MemberExpression') return
        const name = callee.computed ? callee.property.value : callee.property.name
        if (name === 'toLocaleTimeString') report(node)
        const given = node.arguments[1]
        if (
          name === 'toLocaleString' &&
          given?.type === 'ObjectExpression' &&
          given.properties.some(({ key }) => options.has(key?.name ?? key?.value))
        )
          report(node)
      },
      MemberExpression(node) {
        if (node.object.name === 'Intl' && (node.property.name ?? node.property.value) === 'DateTimeFormat')
          report(node)
      },
      // Hand-written 12-hour formatting uses the remainder of twelve.
      BinaryExpression(node) {
        if (node.operator === '%' && node.right.value === 12) report(node)
      },
    }
  },
}

export default { meta: { name: 'sidewall-times' }, rules: { 'named-clock': rule } }
