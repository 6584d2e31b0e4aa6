/**
 * A custom lint rule that allows only `platform/count-text.ts` to choose between singular and plural, so that counts of
 * one read correctly.
 */
const messages = {
  counted:
    'Write a number with its noun by countOf or countOrNone of platform/count-text.ts: "{{text}}" is wrong for one.',
  chosen: 'Choose between singular and plural with countOf or pluralForm of platform/count-text.ts.',
}

const nouns =
  'addresses answers appointments attempts bays brands browsers buyers calls cars cells characters codes columns customers days deals decimals drivers emails events faults fees fields files hours inches invariants jobs lines locations matches messages miles minutes models months orders owners pages parcels parts payments people photos pieces points pounds prices programs questions rates records reviews rotations rows rules seconds secrets services shops sites sizes stars states steps stops suggestions things tires towns tries trims units values vans vehicles views webhooks weeks wheels words years ZIPs'.split(
    ' ',
  )
const adjectives = [
  'bad',
  'business',
  'different',
  'free',
  'imagined',
  'local',
  'more',
  'open',
  'other',
  'stocked',
  'tire',
  'ZIP',
]
const noun = new RegExp(
  String.raw`^\s+(?:(?:${adjectives.join('|')}) )*(?:${nouns.join('|')}|(?:free )?times)(?![\w-])`,
)

/** Names of values that are texts, such as a brand in "Kestrel tires", and of functions that return them. */
const texts = new Set(
  'at axle band brand city classWords decimal designation formatCents formatRate grade grades height join label line list make maker mark model money name nameOf number percentText point points range season size slug store supplier term text toFixed toLowerCase trimmed type vehicle warranty who word words zip'.split(
    ' ',
  ),
)
/** The required functions. */
const counting = new Set(['countOf', 'countOrNone', 'pluralForm'])
const textName = /[a-z](?:Name|Label|Text|Words)$/

/** The last name of an expression: "length" of `tires.length`, "round" of `Math.round(miles)`. */
function lastName(node) {
  switch (node.type) {
    case 'Identifier':
      return node.name
    case 'ChainExpression':
      return lastName(node.expression)
    case 'MemberExpression':
      return node.computed ? lastName(node.object) : node.property.name
    case 'CallExpression':
      return lastName(node.callee)
    default:
      return ''
  }
}

function isNumber(node) {
  if (
    ['Literal', 'TemplateLiteral', 'ConditionalExpression', 'LogicalExpression', 'JSXEmptyExpression'].includes(
      node.type,
    )
  )
    return false
  const name = lastName(node)
  return !texts.has(name) && !counting.has(name) && !textName.test(name)
}

const isText = (node) => node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
const isForm = (node) =>
  isText(node) || (node.type === 'Identifier' && /^(?:one|many|singular|plural)$/.test(node.name))
const isEnding = (node) => node.type === 'Literal' && /^(?:|e?s)$/.test(String(node.value))
const isOne = (node) => node.type === 'Literal' && (node.value === 1 || node.value === '1')
const callee = (node) => (node?.type === 'CallExpression' ? lastName(node) : '')

const rule = {
  meta: { type: 'problem', messages },
  create(context) {
    const check = (expression, after) => {
      const [text] = noun.exec(after) ?? []
      if (text !== undefined && isNumber(expression))
        context.report({ node: expression, messageId: 'counted', data: { text: `1${text}` } })
    }
    const checkChildren = ({ children }) => {
      for (const [index, child] of children.entries()) {
        if (child.type !== 'JSXExpressionContainer') continue
        const rest = children.slice(index + 1)
        const end = rest.findIndex((next) => next.type !== 'JSXText' && !isSpace(next))
        const after = rest.slice(0, end === -1 ? undefined : end).map((next) => next.value ?? ' ')
        check(child.expression, after.join(''))
      }
    }
    return {
      TemplateLiteral(node) {
        if (callee(node.parent) === 'pluralForm') return
        for (const [index, expression] of node.expressions.entries())
          check(expression, node.quasis[index + 1]?.value.cooked ?? '')
      },
      JSXElement: checkChildren,
      JSXFragment: checkChildren,
      ConditionalExpression(node) {
        const { test, consequent, alternate } = node
        const isAboutOne =
          test.type === 'BinaryExpression' &&
          ['===', '!=='].includes(test.operator) &&
          (isOne(test.right) || isOne(test.left))
        const isSuffix = isEnding(consequent) && isEnding(alternate) && consequent.value !== alternate.value
        if ((isAboutOne && isForm(consequent) && isForm(alternate)) || isSuffix)
          context.report({ node, messageId: 'chosen' })
      },
      CallExpression(node) {
        if (counting.has(lastName(node)) && node.arguments.some((each) => each.type === 'Literal' && each.value === ''))
          context.report({ node, messageId: 'chosen' })
      },
    }
  },
}

/** Returns whether the node is `{' '}`, which preserves a space at the end of a JSX line. */
function isSpace(node) {
  return node.type === 'JSXExpressionContainer' && node.expression.type === 'Literal' && node.expression.value === ' '
}

export default { meta: { name: 'sidewall-counts' }, rules: { counted: rule } }
