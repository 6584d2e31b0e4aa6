/** Price rules, and the price import that applies them. */
import { z } from 'zod'
import { defineActions, formAction, numberedId } from '#app/office/define-actions.server.ts'
import {
  listPriceRules,
  publishPrices,
  removePriceRule,
  savePriceRule,
} from '#domain/catalog/price-rules/price-rules.server.ts'
import {
  priceEndings,
  priceRuleForm,
  priceRuleVersionForm,
  publishPricesForm,
  termsText,
  tiresOfRule,
  type PriceRule,
} from '#domain/catalog/price-rules/price-rules.ts'
import { countOf } from '#platform/count-text.ts'

const permission = 'catalog.import'

export const priceRuleActions = defineActions({
  resource: 'price-rules',
  noun: 'price rule',
  permission,
  actions: {
    add: formAction(
      {
        summary: 'Add a price rule',
        description: 'Prices stay until you publish the price import of the rules.',
        form: priceRuleForm,
      },
      ({ app, by }, rule) => savePriceRule(app, by, { id: null, rule }),
      ({ id }) => String(id),
    ),
    change: formAction(
      {
        summary: 'Change a price rule',
        description: 'Prices stay until you publish the price import of the rules.',
        form: priceRuleForm,
      },
      ({ app, by, id }, rule) => savePriceRule(app, by, { id: numberedId(id), rule }),
    ),
    remove: formAction({ summary: 'Remove a price rule', form: priceRuleVersionForm }, ({ app, by, id }, { version }) =>
      removePriceRule(app, by, { id: numberedId(id), version }),
    ),
  },
  refusals: {
    'rule-exists': { field: 'brandId', text: 'This brand and supplier already have a rule.', status: 409 },
    'no-brand': { field: 'brandId', text: 'Choose a brand.' },
    'no-supplier': { field: 'supplierId', text: 'Choose a supplier.' },
    'too-many': (most) => `The store has ${countOf(most, 'price rule')}, which is the limit.`,
  },
  async list(app) {
    return (await listPriceRules(app)).map((rule) => ({
      id: String(rule.id),
      label: `${tiresOfRule(rule)}: ${termsText(rule)}`,
    }))
  },
  async read(app, id) {
    const rule = (await listPriceRules(app)).find((each) => String(each.id) === id)
    return rule && ruleFields(rule)
  },
})

/** A rule as the values of its form. */
export function ruleFields(rule: PriceRule) {
  const [ending = 'exact'] = Object.entries(priceEndings).find(([, cents]) => cents === rule.endingCents) ?? []
  return {
    brandId: rule.brandId,
    supplierId: rule.supplierId,
    markup: String(rule.markupPpm / 10_000),
    add: rule.addCents === 0 ? null : rule.addCents,
    margin: String(rule.marginFloorPpm / 10_000),
    map: rule.raisesToMap,
    days: rule.competitorDays,
    beat: String(rule.competitorBeatPpm / 10_000),
    beatBy: rule.competitorBeatCents === 0 ? null : rule.competitorBeatCents,
    ending,
    version: rule.version,
  }
}

export const priceRuleImportActions = defineActions({
  resource: 'price-rules',
  noun: 'price rule import',
  permission,
  hasNoId: true,
  actions: {
    publish: formAction(
      {
        summary: 'Make a price import of the price rules',
        description:
          'Returns the number of an import with every price that the rules change. Read it for the preview, and publish it as any import. `key` is a UUID that you choose, and sending it again returns the same import.',
        form: publishPricesForm,
        result: z.object({ import: z.int() }),
      },
      ({ app, by }, { key }) => publishPrices(app, by, { key }),
    ),
  },
  refusals: {
    'nothing-changes': 'These rules change no prices.',
    'not-started': 'The import was not started. Reload the page and try again.',
  },
})
