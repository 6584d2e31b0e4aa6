import type { FormReply } from '#app/forms/form.ts'
import { shopPriceActions } from '#app/office/actions/shop-terms.server.ts'
import { decideActions, doneNews } from '#app/office/decision.server.ts'
import { CellInput } from '#app/office/form-fields.tsx'
import { button, OfficeForm } from '#app/office/form.tsx'
import { SaveBar, useUnsavedChanges } from '#app/office/save-bar.tsx'
import { SectionsForm, type FieldSection } from '#app/office/sections-form.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { readShopPriceLists } from '#app/views/office/shop-terms.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/shop-prices.ts'
import { openTerms } from './shop-terms.server.ts'
import { TermsPage, termsAreFixed } from './shop-terms.tsx'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, `Prices, ${loaderData?.shop.name ?? 'shop'}`, officePaths.officeShops())

const news = {
  saved: 'Prices scheduled. Existing quotes, reservations, and orders aren’t repriced.',
  withdrawn: 'Scheduled prices removed.',
}

/** The price list of a shop, and the scheduled ones. */
export async function loader(args: Route.LoaderArgs) {
  const { staff, record, head } = await openTerms(args, { at: 'prices', path: officePaths.officeShopPrices })
  return {
    ...head,
    fixed: termsAreFixed(record),
    prices: await readShopPriceLists(staff, record),
    news: doneNews(args.url, news),
  }
}

export const action = (args: Route.ActionArgs) => {
  const { shopCode: code } = args.params
  return decideActions(
    args,
    {
      id: code,
      noun: 'price list',
      path: (done) => officePaths.officeShopPrices(code, done),
      done: { change: 'saved', withdraw: 'withdrawn' },
    },
    shopPriceActions,
  )
}

export default function ShopPrices({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { prices } = loaderData
  return (
    <TermsPage title="Prices" data={loaderData} reply={reply}>
      <Columns
        body={<PricesForm prices={prices} reply={reply} />}
        last={prices.scheduled.length > 0 ? <Scheduled prices={prices} reply={reply} /> : undefined}
      />
    </TermsPage>
  )
}

type View = Route.ComponentProps['loaderData']['prices']
type FormProps = { prices: View; reply: FormReply | undefined }

const formId = 'shop-prices'

function PricesForm({ prices, reply: posted }: FormProps) {
  const reply = posted?.values['intent'] === 'change' ? posted : undefined
  const unsaved = useUnsavedChanges(formId, reply !== undefined)
  return (
    <>
      <SectionsForm
        formId={formId}
        reply={reply}
        hidden={{ basedOn: prices.version }}
        sections={sectionsOf(prices, reply)}
        labels={prices.labels}
        buttons={[button('change', 'Schedule prices', 'primary')]}
        hidesButtons={unsaved.isUnsaved}
      />
      <SaveBar
        formId={formId}
        intent="change"
        label="Schedule prices"
        note="Existing quotes, reservations, and orders aren’t repriced."
        unsaved={unsaved}
      />
    </>
  )
}

function sectionsOf(
  { first, jobs, services, anyTire, extraMinutes }: View,
  reply: FormReply | undefined,
): FieldSection[] {
  return [
    {
      id: 'start',
      title: 'Starting day',
      note: 'Shoppers pay the list of the day they order.',
      fields: { from: { label: 'Starting', kind: 'day', value: reply?.values['from'] ?? first, min: first } },
    },
    ...jobs.map(({ id, name, isRequired, rows }): FieldSection => ({
      id: `job-${id}`,
      title: name,
      note: isRequired
        ? 'Per tire, mounted and balanced.'
        : 'Optional. Leave all of them empty if the shop doesn’t do it.',
      fields: {
        [`rows-${id}`]: (
          <PriceTable
            caption={name}
            label="Rims"
            rows={rows.map((row) => ({ ...row, head: row.rims }))}
            reply={reply}
          />
        ),
      },
    })),
    {
      id: 'services',
      title: 'Services without new tires',
      note: 'Optional. Leave a service empty if the shop doesn’t offer it.',
      fields: {
        'rows-services': (
          <PriceTable
            caption="Services without new tires"
            label="Service"
            rows={services.map(({ name, unit, ...row }) => ({ ...row, head: `${name}, per ${unit}` }))}
            reply={reply}
          />
        ),
      },
    },
    {
      id: 'any-tire',
      title: 'For any tire',
      fields: Object.fromEntries(anyTire.map(({ name, ...field }) => [name, { ...field, kind: 'money' as const }])),
    },
    {
      id: 'minutes',
      title: 'Extra minutes',
      fields: Object.fromEntries(
        extraMinutes.map(({ name, ...field }) => [name, { ...field, kind: 'number' as const, max: 3 }]),
      ),
    },
  ]
}

type PriceRow = Pick<View['services'][number], 'price' | 'minutes'> & { head: string }

/** Inputs for the price and the minutes of each row. */
function PriceTable({
  caption,
  label,
  rows,
  reply,
}: {
  caption: string
  label: string
  rows: readonly PriceRow[]
  reply: FormReply | undefined
}) {
  return (
    <DataTable
      caption={caption}
      columns={[
        { key: 'head', label, isRowHeader: true },
        { key: 'price', label: 'Price', isAmount: true },
        { key: 'minutes', label: 'Minutes' },
      ]}
      rows={rows.map(({ head, price, minutes }) => ({
        id: head,
        cells: {
          head,
          price: <CellInput name={price.name} field={{ ...price, kind: 'money' }} prefix="$" reply={reply} />,
          minutes: <CellInput name={minutes.name} field={{ ...minutes, kind: 'number', max: 3 }} reply={reply} />,
        },
      }))}
    />
  )
}

/** Renders the scheduled changes. */
function Scheduled({ prices: { scheduled }, reply }: FormProps) {
  return scheduled.map(({ day, title, rows }) => (
    <Panel key={day} id={`from-${day}`} title={title}>
      <PanelBody>
        <div className="stack">
          <KeyValues rows={rows} />
          <OfficeForm
            reply={reply}
            about={{ day }}
            buttons={[button('withdraw', 'Remove', 'quiet', { name: `Remove prices, ${title}` })]}
          />
        </div>
      </PanelBody>
    </Panel>
  ))
}
