/**
 * A custom lint rule. A function's result depends only on its arguments. The current time, randomness, and the
 * environment are read at the edge (platform/, server.ts, worker.ts) and passed in, so that tests can set them.
 */
const remedies = {
  now: 'Take `now` (a Temporal.Instant) or a Clock as an argument.',
  chance: 'Take the random value, or where it comes from, as an argument.',
  environment: 'Read it in platform/config.ts and take the value as an argument.',
}

const members = {
  'Date.now': 'now',
  'Temporal.Now': 'now',
  'Math.random': 'chance',
  'process.env': 'environment',
}

const rule = {
  meta: { type: 'problem', messages: remedies },
  create(context) {
    return {
      MemberExpression(node) {
        const name = node.computed ? node.property.value : node.property.name
        const messageId = members[`${node.object.name}.${name}`]
        if (messageId) context.report({ node, messageId })
      },
      VariableDeclarator(node) {
        if (node.id.type !== 'ObjectPattern' || node.init === null) return
        for (const property of node.id.properties) {
          const messageId = members[`${node.init.name}.${property.key?.name}`]
          if (messageId) context.report({ node: property, messageId })
        }
      },
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) context.report({ node, messageId: 'now' })
      },
      CallExpression(node) {
        if (node.callee.name === 'Date') context.report({ node, messageId: 'now' })
      },
    }
  },
}

export default { meta: { name: 'sidewall' }, rules: { 'hidden-inputs': rule } }
