import { INSTALLER_PAID_WITHIN_HOURS, UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'
import { checkForm, formRefusal, readFormWithFile, refuseForm, type FormReply } from '#app/forms/form.ts'
import { isFresh, requireStaff, type Staff } from '#app/server/office.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { FreshSignInNotice } from '#app/office/decision.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { KeyValues, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { readSettingsPage } from '#app/views/office-settings.server.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import { supportMessages } from '#content/messages/support.ts'
import { officePaths } from '#content/office-paths.ts'
import { changePhoneHours, changeSettings } from '#domain/settings/settings.server.ts'
import { colorFaultText, hoursForm, maxPayHoldHours, settingsForm } from '#domain/settings/settings.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { maxAttachmentBytes } from '#domain/files/files.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { countOf } from '#platform/count-text.ts'
import type { Shop } from '#shop'
import { HoursForm } from './settings-hours.tsx'
import type { Route } from './+types/settings.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Settings', officePaths.officeSettings())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'settings.read', officePaths.officeSettings())
  const { shop, session } = staff
  const asked = url.searchParams.get('done')
  const before = url.searchParams.get('before') ?? ''
  const done: keyof typeof news | null = asked === 'saved' || asked === 'unchanged' ? asked : null
  return {
    mayManage: staffCan(session.roles, 'settings.manage'),
    isFresh: isFresh(staff),
    done,
    ...(await readSettingsPage(shop, {
      configured: shop.settings.configured,
      before: /^\d{1,15}$/.test(before) ? Number(before) : null,
    })),
  }
}

/** Saves what is different; submitted again, it finds nothing different and changes nothing. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'settings.manage', officePaths.officeSettings())
  const { fields, file } = await readFormWithFile(request, 'logo')
  if (fields.get('intent') === 'hours') return saveHours({ shop, actor }, fields)
  const checked = checkForm(settingsForm, fields)
  const sizeFault = file !== null && file.size > maxAttachmentBytes ? { logo: supportMessages.tooLarge } : {}
  if (!checked.ok || 'logo' in sizeFault)
    return faulty(fields, { ...(checked.ok ? {} : checked.reply.errors), ...sizeFault })
  const saved = await changeSettings(
    { ...shop, configured: shop.settings.configured },
    actor,
    { input: checked.value, file: file && { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) } },
    request.signal,
  )
  if (saved.ok) return showSaved(shop, saved.value.changed)
  switch (saved.reason) {
    case 'not-allowed':
    case 'not-fresh':
    case 'changed-meanwhile':
      return refuseChange(fields, saved.reason)
    case 'colors':
      return faulty(
        fields,
        Object.fromEntries(
          saved.detail
            .toReversed()
            .map((fault) => [fault.color === 'accent-color' ? 'accentColor' : 'darkColor', colorFaultText(fault)]),
        ),
      )
    case 'busy':
      return refuseForm(formRefusal(fields, 'Fix 1 field:', { logo: supportMessages.busy }), 503)
    default:
      return faulty(fields, { logo: logoMessages[saved.reason] })
  }
}

/** Saves the phone hours, by the same rules. */
async function saveHours({ shop, actor }: Pick<Staff, 'shop' | 'actor'>, fields: URLSearchParams) {
  const checked = checkForm(hoursForm, fields)
  if (!checked.ok) return faulty(fields, checked.reply.errors)
  const saved = await changePhoneHours({ ...shop, configured: shop.settings.configured }, actor, checked.value)
  return saved.ok ? showSaved(shop, saved.value.changed) : refuseChange(fields, saved.reason)
}

/** This process shows a change at once; the others within two seconds. */
async function showSaved(shop: Shop, changed: number): Promise<Response> {
  await shop.settings.read()
  return seeOther(officePaths.officeSettings({ done: changed > 0 ? 'saved' : 'unchanged' }))
}

function refuseChange(fields: URLSearchParams, reason: 'not-allowed' | 'not-fresh' | 'changed-meanwhile') {
  if (reason === 'not-fresh') return refuseForm(formRefusal(fields, concessionMessages['not-fresh']), 403)
  return reason === 'not-allowed'
    ? refuseForm(formRefusal(fields, 'Your own role was revoked meanwhile. Nothing was changed.'), 403)
    : refuseForm(
        formRefusal(
          fields,
          'Someone else changed a setting meanwhile. Compare with the history below, then load the page again.',
        ),
        409,
      )
}

function faulty(fields: URLSearchParams, errors: Record<string, string>) {
  const count = Object.keys(errors).length
  return refuseForm(formRefusal(fields, `Fix ${countOf(count, 'field')}:`, errors))
}

const logoMessages = {
  'not-a-picture': 'Choose a PNG, JPEG or WebP picture. SVG is not accepted: it can contain scripts.',
  'other-kind': 'Choose a PNG, JPEG or WebP picture.',
  'too-large': supportMessages.tooLarge,
  unreadable: supportMessages.unreadable,
  'unsafe-pdf': supportMessages.unsafePdf,
  'too-many-pixels': supportMessages.tooManyPixels,
} as const

const news = {
  saved: 'Saved. Every page shows it within a few seconds.',
  unchanged: 'Nothing was different, so nothing was changed.',
} as const

export default function Settings({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayManage, isFresh: mayNow, done, shown, changes, older, values, version } = loaderData
  const isOfHours = reply?.values['intent'] === 'hours'
  return (
    <OfficePage title="Settings">
      {done && !reply ? <Notice tone="go" title={news[done]} isNews /> : null}
      {mayManage ? (
        <>
          <FreshSignInNotice
            isFresh={mayNow}
            title="Changing settings requires a recent sign-in"
            back={officePaths.officeSettings()}
          />
          <SettingsForm settings={loaderData} reply={isOfHours ? undefined : reply} />
          <HoursForm values={values} version={version} reply={isOfHours ? reply : undefined} />
        </>
      ) : (
        <Panel id="settings" title="What applies" note="Only an owner changes it.">
          <PanelBody>
            <KeyValues rows={shown} />
          </PanelBody>
        </Panel>
      )}
      <Panel
        id="history"
        title="Who changed what"
        note="Times are Eastern. What was set before stays here."
        end={<a href={officePaths.officeListFile('settings')}>Export as CSV</a>}
      >
        {changes.length === 0 ? (
          <PanelBody>
            <p>No changes yet.</p>
          </PanelBody>
        ) : (
          <DataTable
            caption="Changes of settings"
            columns={[
              { key: 'at', label: 'When', isRowHeader: true },
              { key: 'by', label: 'Who' },
              { key: 'what', label: 'Setting' },
              { key: 'was', label: 'Before' },
              { key: 'became', label: 'After' },
            ]}
            rows={changes}
          />
        )}
      </Panel>
      {older ? (
        <p>
          <a className="btn" href={older} rel="next">
            Older changes
          </a>
        </p>
      ) : null}
    </OfficePage>
  )
}

type View = Route.ComponentProps['loaderData']

const labels = {
  name: 'Store name',
  phone: 'Phone',
  email: 'Email',
  returnAddress: 'Return address',
  logo: 'Logo',
  accentColor: 'Accent color',
  darkColor: 'Dark color',
  refundAlone: 'Refunds and credits per order',
  dailyAlone: 'All concessions per person and day',
  discountAlone: 'Maximum discount',
  quoteMarginFloor: 'Minimum margin',
  noShowPay: 'Pay of a shop for a no-show',
  payHoldHours: 'Hours until a job’s pay is due',
  payDisputeDays: 'Days in which a shop can dispute its pay',
  payAlone: 'Pay adjustments per shop and week',
} as const

type FieldOf = (name: keyof typeof labels) => {
  name: string
  label: string
  reply: FormReply | undefined
  value: string | undefined
  autoComplete: string
}

function SettingsForm({
  settings: { values, version, logo, standardColors },
  reply,
}: {
  settings: View
  reply: FormReply | undefined
}) {
  const field: FieldOf = (name) => ({ name, label: labels[name], reply, value: values[name], autoComplete: 'off' })
  return (
    <Panel id="settings" title="The store">
      <form method="post" encType="multipart/form-data" noValidate>
        <input type="hidden" name="seen" value={reply?.values['seen'] ?? version} />
        {reply ? (
          <PanelBody>
            <ErrorSummary reply={reply} labels={labels} />
          </PanelBody>
        ) : null}
        <PanelBody isPair>
          <Field {...field('name')} maxLength={60} required />
          <Field {...field('phone')} type="tel" maxLength={20} required hint="As (800) 555-0142." />
          <Field {...field('email')} type="email" maxLength={254} required />
          <Field {...field('returnAddress')} maxLength={200} required hint="Where returned tires go." />
        </PanelBody>
        <BrandFields field={field} logo={logo} standardColors={standardColors} />
        <PanelBody isPair>
          <Field
            {...field('refundAlone')}
            inputMode="decimal"
            maxLength={14}
            required
            hint="Refunds, price guarantees, claims and waivers. Above it, a second person approves."
          />
          <Field
            {...field('dailyAlone')}
            inputMode="decimal"
            maxLength={14}
            required
            hint="The total of all kinds in one day. Above it, a second person must approve."
          />
          <Field
            {...field('discountAlone')}
            inputMode="decimal"
            maxLength={7}
            required
            hint="In percent of the retail price, for coupons, promotions and price lists."
          />
          <Field
            {...field('quoteMarginFloor')}
            inputMode="decimal"
            maxLength={7}
            required
            hint="In percent of the price, for quotes, coupons, promotions and price lists. Below it, a manager approves."
          />
        </PanelBody>
        <PayFields field={field} />
        <PanelBody>
          <button className="btn primary">Save</button>
        </PanelBody>
      </form>
    </Panel>
  )
}

const payHoldHint = `From 0 to ${maxPayHoldHours}: shops are promised their pay within ${countOf(INSTALLER_PAID_WITHIN_HOURS, 'hour')} of the job.`

/** What an owner sets for the pay of shops; the rates are in the pay matrix. */
function PayFields({ field }: { field: FieldOf }) {
  return (
    <PanelBody isPair>
      <Field {...field('noShowPay')} inputMode="decimal" maxLength={10} required hint="When the car never came." />
      <Field {...field('payHoldHours')} inputMode="numeric" maxLength={2} required hint={payHoldHint} />
      <Field {...field('payDisputeDays')} inputMode="numeric" maxLength={2} required hint="From 1 to 60." />
      <Field
        {...field('payAlone')}
        inputMode="decimal"
        maxLength={14}
        required
        hint="Above it, a second person approves."
      />
    </PanelBody>
  )
}

function BrandFields({ field, logo, standardColors }: { field: FieldOf } & Pick<View, 'logo' | 'standardColors'>) {
  return (
    <PanelBody isPair>
      <div>
        <Field
          {...field('logo')}
          type="file"
          autoComplete={undefined}
          accept="image/png,image/jpeg,image/webp"
          required={false}
          hint={`PNG, JPEG or WebP, up to ${UPLOAD_MAX_BYTES / 1024 / 1024} MB. Shown 32 px high in the header, in place of the name.`}
        />
        {logo ? (
          <>
            <p>
              <img src={logo} alt="The current logo" height={32} />
            </p>
            <label className="check">
              <input type="checkbox" name="removeLogo" value="yes" /> Remove the logo
            </label>
          </>
        ) : null}
      </div>
      <div>
        <Field
          {...field('accentColor')}
          maxLength={7}
          required={false}
          placeholder={standardColors.accent}
          hint="The background of main buttons. Their dark text needs a contrast of 4.5 to 1."
        />
        <Field
          {...field('darkColor')}
          maxLength={7}
          required={false}
          placeholder={standardColors.dark}
          hint="Text, and the background of the header: 4.5 to 1 against the page and against the header’s text."
        />
      </div>
    </PanelBody>
  )
}
