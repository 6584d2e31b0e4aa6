import { defineActions, formAction, numberedId } from '#app/office/define-actions.server.ts'
import { listRules, saveRule } from '#domain/ordering/fraud/fraud.server.ts'
import { fraudRuleForm, ruleWords } from '#domain/ordering/fraud/fraud.ts'
import { countOf } from '#platform/count-text.ts'

export const fraudRuleActions = defineActions({
  resource: 'fraud-rules',
  noun: 'fraud rule',
  permission: 'fraud-rules.manage',
  actions: {
    add: formAction(
      {
        summary: 'Add a fraud rule',
        description: 'It applies starting with the next order. The same rule is added once.',
        form: fraudRuleForm,
      },
      ({ app, by }, rule) => saveRule(app, by, { of: null, rule }),
      ({ id }) => String(id),
    ),
    change: formAction(
      {
        summary: 'Change a fraud rule',
        description: 'Its kind stays. It applies starting with the next order.',
        form: fraudRuleForm,
      },
      ({ app, by, id }, { version, ...rule }) => saveRule(app, by, { of: { id: numberedId(id), version }, rule }),
    ),
  },
  refusals: {
    'not-found': 'Rule not found.',
    'too-many': ({ most }) => `You already have ${countOf(most, 'rule')}. Change one of them instead.`,
  },
  async list(app) {
    return (await listRules(app)).map((rule) => ({ id: String(rule.id), label: ruleWords(rule) }))
  },
  async read(app, id) {
    const rule = (await listRules(app)).find((each) => String(each.id) === id)
    if (!rule) return undefined
    const { id: _, words, ...fields } = rule
    return { ...fields, words: (words ?? []).join('\n') }
  },
})
