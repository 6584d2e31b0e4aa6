import type { FormReply } from '#app/forms/form.ts'
import { shopCapacityActions } from '#app/office/actions/shop-terms.server.ts'
import { actionSteps, decide, doneNews, found, type Posted } from '#app/office/decision.server.ts'
import { CellSelect } from '#app/office/form-fields.tsx'
import { button, FormPanel, OfficeForm } from '#app/office/form.tsx'
import { SaveBar, useUnsavedChanges } from '#app/office/save-bar.tsx'
import { SectionsForm, type FieldSection } from '#app/office/sections-form.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { misfitRows, readShopHours } from '#app/views/office/shop-terms.server.ts'
import { Unbroken } from '#app/ui/office/unbroken.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findShopRecord } from '#domain/installer-portal/shops/shops.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/shop-hours.ts'
import { openTerms } from './shop-terms.server.ts'
import { TermsPage, termsAreFixed } from './shop-terms.tsx'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, `Hours and bays, ${loaderData?.shop.name ?? 'shop'}`, officePaths.officeShops())

const news = {
  saved: 'Change scheduled.',
  withdrawn: 'Scheduled change removed.',
  closed: 'Closed day added.',
  opened: 'Closed day removed.',
}

/** The hours, bays, and closed days of a shop, and the scheduled changes. */
export async function loader(args: Route.LoaderArgs) {
  const { staff, record, head } = await openTerms(args, { at: 'hours', path: officePaths.officeShopHours })
  return {
    ...head,
    fixed: termsAreFixed(record),
    hours: await readShopHours(staff, record),
    news: doneNews(args.url, news),
  }
}

export const action = (args: Route.ActionArgs) => {
  const { shopCode: code } = args.params
  return decide(
    args,
    {
      noun: 'shop’s hours',
      permission: 'shops.edit',
      path: (done) => officePaths.officeShopHours(code, done),
    },
    async (posted) => {
      const done = { change: 'saved', withdraw: 'withdrawn', close: 'closed', open: 'opened' }
      const steps = await actionSteps(shopCapacityActions, { id: code, done }, posted)
      return Object.fromEntries(
        Object.entries(steps).map(([name, step]) => [name, withAppointments(step, posted, code)]),
      )
    },
    shopCapacityActions.refusals,
  )
}

type CapacityStep = Awaited<ReturnType<typeof actionSteps<(typeof shopCapacityActions)['actions']>>>[string]

/** Returns the appointments that don't fit with the form, which makes the change when it is sent again. */
function withAppointments(step: CapacityStep, { app, staff }: Posted, code: string): CapacityStep {
  return {
    ...step,
    async run(fields) {
      const result = await step.run(fields)
      if (!('refusal' in result) || result.refusal.reason !== 'hurts') return result
      const { hurt, seen } = result.refusal.detail
      const shop = found(await findShopRecord(app, code.slice(0, 40)))
      fields.set('seen', seen)
      const count = countOf(hurt.length, 'appointment doesn’t', 'appointments don’t')
      return {
        reply: {
          values: Object.fromEntries(fields),
          errors: {},
          formError: `${count} fit. The change isn’t saved yet. Review the list, then send the form again to save it.`,
          others: misfitRows(staff, hurt, shop.timeZone),
        },
      }
    },
  }
}

export default function ShopHours({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { hours } = loaderData
  return (
    <TermsPage title="Hours and bays" data={loaderData} reply={reply}>
      {reply?.others ? <Misfits title="Appointments that would not fit" rows={reply.others} /> : null}
      <Columns
        body={<HoursForm hours={hours} reply={reply} />}
        last={
          <>
            {hours.misfits.length > 0 && !reply?.others ? (
              <Misfits title="Appointments that don’t fit" rows={hours.misfits} />
            ) : null}
            <Scheduled hours={hours} reply={reply} />
            <ClosedDays hours={hours} reply={reply} />
          </>
        }
      />
    </TermsPage>
  )
}

type View = Route.ComponentProps['loaderData']['hours']
type FormProps = { hours: View; reply: FormReply | undefined }

function Misfits({ title, rows }: { title: string; rows: NonNullable<FormReply['others']> }) {
  return (
    <Panel id="appointments" title={title} note="They stay where they are. Move each on its order.">
      <PanelBody>
        <ul className="office-list">
          {rows.map(({ path, name, note }) => (
            <li key={path}>
              <a href={path}>{name}</a>
              <span>
                <Unbroken>{note}</Unbroken>
              </span>
            </li>
          ))}
        </ul>
      </PanelBody>
    </Panel>
  )
}

const formId = 'shop-hours'

function HoursForm({ hours, reply: posted }: FormProps) {
  const reply = posted?.values['intent'] === 'change' ? posted : undefined
  const unsaved = useUnsavedChanges(formId, reply !== undefined)
  const label = reply?.others ? 'Schedule it anyway' : 'Schedule the change'
  return (
    <>
      <SectionsForm
        formId={formId}
        reply={reply}
        hidden={{ basedOn: hours.version, seen: '' }}
        sections={sectionsOf(hours, reply)}
        labels={hours.labels}
        buttons={[button('change', label, 'primary')]}
        hidesButtons={unsaved.isUnsaved}
      />
      <SaveBar formId={formId} intent="change" label={label} note="Appointments aren’t moved." unsaved={unsaved} />
    </>
  )
}

function sectionsOf(hours: View, reply: FormReply | undefined): FieldSection[] {
  const { first, zone, times, lunch, numbers, windows, rules } = hours
  const choices = (fields: typeof lunch, options: typeof times) =>
    Object.fromEntries(fields.map(({ name, ...field }) => [name, { ...field, kind: 'choice' as const, options }]))
  return [
    {
      id: 'start',
      title: 'Starting day',
      note: 'Earlier days don’t change.',
      fields: { from: { label: 'Starting', kind: 'day', value: reply?.values['from'] ?? first, min: first } },
    },
    {
      id: 'hours',
      title: 'Hours',
      note: `Times in ${zone}.`,
      fields: { week: <Week hours={hours} reply={reply} />, ...choices(lunch, [['', 'None'], ...times]) },
    },
    {
      id: 'capacity',
      title: 'Bays and drop-off',
      fields: {
        ...Object.fromEntries(
          numbers.map(({ name, ...field }) => [name, { ...field, kind: 'number' as const, max: 2 }]),
        ),
        ...Object.fromEntries(
          windows.map(({ name, label, isOn }) => [name, { label, isOn, kind: 'switch' as const, on: 'on' }]),
        ),
      },
      spans: { bays: 2, technicians: 2, dropOffs: 2, AM: 2, PM: 2, EVE: 2 },
    },
    {
      id: 'rules',
      title: 'Booking',
      fields: Object.fromEntries(rules.map(({ name, ...field }) => [name, { ...field, kind: 'choice' as const }])),
    },
  ]
}

function Week({ hours: { week, times }, reply }: FormProps) {
  const error = reply?.errors['hours']
  const time = ({ name, label, value }: View['week'][number]['opens']) => (
    <CellSelect name={name} label={label} value={value} options={[['', 'Closed'], ...times]} reply={reply} />
  )
  return (
    <>
      {error ? <p className="field-error">{error}</p> : null}
      <DataTable
        caption="Hours by weekday"
        columns={[
          { key: 'day', label: 'Day', isRowHeader: true },
          { key: 'opens', label: 'Opens' },
          { key: 'closes', label: 'Closes' },
        ]}
        rows={week.map(({ day, opens, closes }) => ({
          id: day,
          cells: { day, opens: time(opens), closes: time(closes) },
        }))}
      />
    </>
  )
}

/** Renders the current hours and the scheduled changes, if there are any. */
function Scheduled({ hours: { now, scheduled }, reply }: FormProps) {
  return (
    <>
      {scheduled.map(({ day, title, rows }) => (
        <Panel key={day} id={`from-${day}`} title={title}>
          <PanelBody>
            <div className="stack">
              <KeyValues rows={rows} />
              <OfficeForm
                reply={reply}
                about={{ day }}
                hidden={{ seen: '' }}
                buttons={[button('withdraw', 'Remove', 'quiet', { name: `Remove change, ${title}` })]}
              />
            </div>
          </PanelBody>
        </Panel>
      ))}
      {now ? (
        <Panel id="now" title="Now">
          <PanelBody>
            <KeyValues rows={now} />
          </PanelBody>
        </Panel>
      ) : null}
    </>
  )
}

function ClosedDays({ hours: { closures }, reply }: FormProps) {
  const isUnsure = reply?.others !== undefined && reply.values['intent'] === 'close'
  return (
    <FormPanel
      id="closed-days"
      title="Closed days"
      reply={reply}
      hidden={{ seen: '' }}
      fields={{
        on: { label: 'Day', kind: 'day' },
        reason: { label: 'Reason', max: 60, hint: 'Shoppers see it, such as Thanksgiving.' },
      }}
      buttons={[button('close', isUnsure ? 'Add it anyway' : 'Add closed day')]}
      after={
        closures.length === 0 ? null : (
          <PanelBody>
            <ul className="office-list">
              {closures.map(({ on, text }) => (
                <li key={on}>
                  <span>
                    <Unbroken>{text}</Unbroken>
                  </span>
                  <OfficeForm
                    reply={reply}
                    about={{ day: on }}
                    hidden={{ seen: '' }}
                    buttons={[button('open', 'Remove', 'quiet', { name: `Remove ${text}` })]}
                  />
                </li>
              ))}
            </ul>
          </PanelBody>
        )
      }
    />
  )
}
