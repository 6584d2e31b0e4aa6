import { z } from 'zod'
import { priceRuleActions, priceRuleImportActions, ruleFields } from '#app/office/actions/price-rules.server.ts'
import { actionStep, callOf, decideActions, doneNews, showing } from '#app/office/decision.server.ts'
import { numberedId } from '#app/office/define-actions.server.ts'
import { DetailPage } from '#app/office/detail.tsx'
import { EffectRows } from '#app/office/effect-panel.tsx'
import { button, FormPanel, type FormFields } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import type { FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { PanelBody } from '#app/ui/office/office-parts.tsx'
import { priceEffect } from '#app/views/office/price-rules.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listBrandNames } from '#domain/catalog/catalog/catalog.server.ts'
import { listPriceRules, previewPrices } from '#domain/catalog/price-rules/price-rules.server.ts'
import { priceRuleForm, termsText, tiresOfRule, type PriceEffect } from '#domain/catalog/price-rules/price-rules.ts'
import { listSuppliers } from '#domain/supply/stock/stock.server.ts'
import { newId } from '#platform/ids.ts'
import { typedDollars } from '#platform/money.ts'
import { ok, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Route } from './+types/price-rules.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Price rules', officePaths.officePriceRules())

const blank = {
  brandId: null,
  supplierId: null,
  markup: '',
  add: null,
  margin: '',
  map: true,
  days: null,
  beat: '',
  beatBy: null,
  ending: '99',
  version: 0,
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'catalog.import', officePaths.officePriceRules())
  const [rules, brands, suppliers] = await Promise.all([
    listPriceRules(app),
    listBrandNames(app.db),
    listSuppliers(app),
  ])
  const asked = url.searchParams.get('rule')
  const chosen = rules.find(({ id }) => String(id) === asked)
  return {
    news: doneNews(url, { saved: 'Saved. Create a price import to change prices.', removed: 'Rule removed.' }),
    // Not named "key", which React reserves.
    formKey: newId(),
    edited: chosen
      ? { id: chosen.id, title: tiresOfRule(chosen), fields: ruleFields(chosen) }
      : asked === 'new'
        ? { id: null, title: 'New rule', fields: blank }
        : null,
    brands: optionsOf('Every brand', brands),
    suppliers: optionsOf('Any source', suppliers),
    rules: rules.map((rule) => ({
      id: rule.id,
      brand: rule.brand ?? 'Every brand',
      supplier: rule.supplier ?? 'Any source',
      terms: termsText(rule),
    })),
  }
}

function optionsOf(first: string, rows: readonly { id: number; name: string }[]): [string, string][] {
  return [['', first], ...rows.map(({ id, name }): [string, string] => [String(id), name])]
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: (fields) => fields.get('rule') ?? '',
      path: (done) => officePaths.officePriceRules({ done }),
      done: { add: 'saved', change: 'saved', remove: 'removed' },
      more: {
        steps: (posted) => ({
          preview: showing(
            priceRuleForm,
            (rule) => preview(posted.app, { id: numberedId(posted.fields.get('rule') ?? '') || null, rule }),
            shownOf,
          ),
          'preview-all': showing(z.object({}), () => preview(posted.app, null), shownOf),
          publish: actionStep(priceRuleImportActions.actions.publish, callOf(posted, ''), (_, value) =>
            officePaths.officeImport(value.import, 'uploaded'),
          ),
        }),
        refusals: priceRuleImportActions.refusals,
      },
    },
    priceRuleActions,
  )

/** The page's permission covers the preview. */
async function preview(
  ...asked: Parameters<typeof previewPrices>
): Promise<Outcome<PriceEffect, Refused<'not-allowed'>>> {
  return ok(await previewPrices(...asked))
}

const shownOf = (effect: PriceEffect) => ({ effect: priceEffect(effect) })

type Loaded = Route.ComponentProps['loaderData']

export default function PriceRules({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { edited, rules, news } = loaderData
  return (
    <DetailPage
      title="Price rules"
      crumbs={[{ label: 'Imports', path: officePaths.officeImports() }]}
      news={news}
      reply={reply}
      body={
        <TablePanel
          id="rules"
          title="Rules"
          note="A rule for a brand comes before one for a supplier"
          caption="Price rules"
          empty="No rules yet. Add one to price tires from their cost."
          columns={{ brand: 'Brand', supplier: 'Cheapest stock', terms: 'Price' }}
          rows={rules.map(({ id, brand, ...row }) => ({
            id: String(id),
            cells: { ...row, brand: <a href={officePaths.officePriceRules({ rule: String(id) })}>{brand}</a> },
          }))}
        >
          <PanelBody>
            <p>
              <a href={officePaths.officePriceRules({ rule: 'new' })}>Add a rule</a>
            </p>
          </PanelBody>
        </TablePanel>
      }
      forms={
        <>
          {edited ? <RuleForm {...loaderData} edited={edited} reply={reply} /> : null}
          {rules.length > 0 ? <PricesForm formKey={loaderData.formKey} reply={reply} /> : null}
        </>
      }
    />
  )
}

function RuleForm({
  edited: { id, title, fields },
  brands,
  suppliers,
  reply,
}: Pick<Loaded, 'brands' | 'suppliers'> & {
  edited: NonNullable<Loaded['edited']>
  reply: FormReply | undefined
}) {
  return (
    <FormPanel
      id="rule"
      title={title}
      isOpen
      isPair
      reply={reply}
      hidden={{ ...(id !== null && { rule: id }), version: fields.version }}
      fields={{
        brandId: { label: 'Brand', kind: 'choice', value: textOf(fields.brandId), options: brands },
        supplierId: {
          label: 'Cheapest stock from',
          kind: 'choice',
          value: textOf(fields.supplierId),
          options: suppliers,
        },
        markup: {
          label: 'Markup in percent',
          value: fields.markup,
          max: 8,
          hint: 'On the lowest cost of the sources with stock, including freight.',
        },
        add: {
          label: 'Plus, in dollars',
          kind: 'money',
          value: fields.add === null ? null : typedDollars(fields.add),
          isOptional: true,
        },
        margin: {
          label: 'Minimum margin in percent',
          value: fields.margin,
          max: 8,
          isOptional: true,
          hint: 'At the highest cost of the sources with stock, including freight.',
        },
        ending: {
          label: 'Ending',
          kind: 'choice',
          value: fields.ending,
          options: [
            ['exact', 'Exact cents'],
            ['00', '.00'],
            ['49', '.49'],
            ['95', '.95'],
            ['99', '.99'],
          ],
        },
        ...competitorFields(fields),
        map: { label: 'Raise to the minimum advertised price', kind: 'tick', isTicked: fields.map },
      }}
      buttons={[
        button(id === null ? 'add' : 'change', 'Save rule', 'primary'),
        button('preview', 'Preview'),
        ...(id === null ? [] : [button('remove', 'Remove rule', 'stop')]),
      ]}
      after={<Effect reply={reply} intent="preview" />}
    />
  )
}

const textOf = (id: number | null) => (id === null ? '' : String(id))

function PricesForm({ formKey, reply }: { formKey: string; reply: FormReply | undefined }) {
  return (
    <FormPanel
      id="prices"
      title="Prices"
      lead="Prices stay until you publish the import."
      reply={reply}
      hidden={{ key: formKey }}
      buttons={[button('preview-all', 'Preview saved rules'), button('publish', 'Create price import', 'primary')]}
      after={<Effect reply={reply} intent="preview-all" />}
    />
  )
}

/** The preview that a button requested. */
function Effect({ reply, intent }: { reply: FormReply | undefined; intent: string }) {
  if (!reply?.effect || reply.values['intent'] !== intent) return null
  return (
    <PanelBody>
      <EffectRows {...reply.effect} />
    </PanelBody>
  )
}

/** The fields of competitors' prices. */
function competitorFields(fields: NonNullable<Loaded['edited']>['fields']): FormFields {
  return {
    days: {
      label: 'Maximum age of competitors’ prices, in days',
      kind: 'number',
      value: fields.days === null ? '' : String(fields.days),
      max: 3,
      isOptional: true,
      hint: 'Prices match or beat the lowest, down to the minimum margin and MAP. Leave empty if they don’t count.',
    },
    beat: { label: 'Percent below the lowest competitor', value: fields.beat, max: 7, isOptional: true },
    beatBy: {
      label: 'Dollars below the lowest competitor',
      kind: 'money',
      value: fields.beatBy === null ? null : typedDollars(fields.beatBy),
      isOptional: true,
    },
  }
}
