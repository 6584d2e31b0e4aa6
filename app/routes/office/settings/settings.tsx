import { idPlace } from '#app/office/define-list.server.ts'
import { INSTALLER_PAID_WITHIN_HOURS, UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'
import { phoneHoursActions, showSettings, storeProfileActions } from '#app/office/actions/settings.server.ts'
import { actionStep, callOf, decide, doneNews, press } from '#app/office/decision.server.ts'
import { FactsPanel, FreshSignInNotice } from '#app/office/decision.tsx'
import type { FormField } from '#app/office/form-fields.tsx'
import { button, FormPanel, type FieldsOf, type FormFields } from '#app/office/form.tsx'
import { HistoryPanel, TablePanel } from '#app/office/table.tsx'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { readSettingsPage } from '#app/views/office/settings.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { closeStore, readStoreState } from '#domain/kernel/settings/settings.server.ts'
import { belowMapRules, maxPayHoldHours, type settingsForm } from '#domain/kernel/settings/settings.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { countOf } from '#platform/count-text.ts'
import { HoursForm } from './settings-hours.tsx'
import type { Route } from './+types/settings.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Settings', officePaths.officeSettings())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'settings.read', officePaths.officeSettings())
  const { app, session } = staff
  return {
    mayManage: staffCan(session.roles, 'settings.manage'),
    isFresh: isFresh(staff),
    news: doneNews(url, news),
    isOpen: (await readStoreState(app.db)).isOpen,
    ...(await readSettingsPage(app, {
      configured: app.settings.configured,
      before: idPlace(url.searchParams.get('before')),
    })),
  }
}

/** Saves the changed settings. Idempotent. `hours` saves the phone hours. */
export const action = (args: Route.ActionArgs) =>
  decide(
    args,
    {
      noun: 'setting',
      permission: storeProfileActions.permission,
      path: (done) => officePaths.officeSettings({ done }),
      file: 'logo',
    },
    (posted) => {
      const { app, by } = posted
      const call = callOf(posted, '')
      const done = (_: string, { changed }: { changed: number }) => (changed > 0 ? 'saved' : 'unchanged')
      return {
        '': actionStep(storeProfileActions.actions.change, call, done),
        hours: actionStep(phoneHoursActions.actions.change, call, (_, { changed }, fields) =>
          changed > 0 && fields.get('startsAt') ? 'scheduled' : done(_, { changed }),
        ),
        close: press(() => showSettings(app, closeStore(app, by)), 'closed'),
      }
    },
    {
      ...storeProfileActions.refusals,
      ...phoneHoursActions.refusals,
      'closed-already': 'The store is closed already.',
    },
  )

const news = {
  saved: 'Saved. Every page shows it within a few seconds.',
  scheduled: 'Scheduled.',
  unchanged: 'No changes to save.',
  closed: 'The store is closed. Open it again in Store setup.',
}

export default function Settings({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayManage, isFresh: mayNow, shown, changes, older, values, version } = loaderData
  return (
    <OfficePage title="Settings" news={loaderData.news} reply={reply}>
      {mayManage ? (
        <>
          <FreshSignInNotice
            isFresh={mayNow}
            title="Changing settings requires a recent sign-in"
            back={officePaths.officeSettings()}
          />
          <FormPanel
            id="settings"
            title="Store"
            isPair
            reply={reply}
            hidden={{ seen: version }}
            fields={fieldsOf(loaderData)}
            buttons={[button('', 'Save', 'primary')]}
          />
          <HoursForm values={values} version={version} reply={reply} />
          {loaderData.scheduledHours.length > 0 ? (
            <TablePanel
              id="scheduled-hours"
              title="Scheduled phone hours"
              note="Times are Eastern. To cancel, save the current hours for the same time."
              columns={{ from: 'Starts', hours: 'Phone hours', by: 'Who' }}
              rows={loaderData.scheduledHours}
            />
          ) : null}
          {loaderData.isOpen ? <CloseForm reply={reply} /> : null}
        </>
      ) : (
        <FactsPanel id="settings" title="Current settings" note="Only an owner can change them." rows={shown} />
      )}
      <HistoryPanel
        note="Times are Eastern. Earlier values stay here."
        end={<a href={officePaths.officeListFile('settings')}>Export as CSV</a>}
        caption="Settings history"
        empty="No changes yet."
        columns={{ at: 'When', by: 'Who', what: 'Setting', was: 'Before', became: 'After' }}
        rows={changes}
        older={older}
      />
    </OfficePage>
  )
}

function CloseForm({ reply }: { reply: Route.ComponentProps['actionData'] }) {
  return (
    <FormPanel
      id="close"
      title="Close the store"
      reply={reply}
      text="Shoppers can look around, but not order or pay, until you open it again in Store setup. Existing orders aren’t affected."
      buttons={[
        button('close', 'Close the store', 'stop', {
          ask: {
            title: 'Close the store?',
            text: 'Only your team can order or pay until you reopen the store.',
            answer: 'Close the store',
            isStop: true,
          },
        }),
      ]}
    />
  )
}

type View = Route.ComponentProps['loaderData']

const belowMapField: FormField = {
  label: 'Prices below the minimum advertised price',
  kind: 'choice',
  options: Object.entries(belowMapRules),
  hint: 'For imports, supplier feeds, edits, and promotions, tire by tire. No page, feed, or API advertises a price below the minimum.',
}

function fieldsOf({ values, logo, standardColors }: View): FormFields {
  const fields = {
    name: { label: 'Store name', max: 60 },
    phone: { label: 'Phone', kind: 'phone', hint: 'Such as (800) 555-0142.' },
    email: { label: 'Email', kind: 'email' },
    returnAddress: { label: 'Return address', max: 200, hint: 'Where customers return tires.' },
    accentColor: {
      label: 'Accent color',
      max: 7,
      isOptional: true,
      placeholder: standardColors.accent,
      hint: 'The background of main buttons. Their dark text needs a contrast of 4.5 to 1.',
    },
    darkColor: {
      label: 'Dark color',
      max: 7,
      isOptional: true,
      placeholder: standardColors.dark,
      hint: 'Text, and the background of the header: 4.5 to 1 against the page and against the header’s text.',
    },
    refundAlone: {
      label: 'Refund limit without approval',
      kind: 'money',
      hint: 'Per order, for refunds, price guarantees, claims and waivers. Above it, a second person approves.',
    },
    dailyAlone: {
      label: 'Daily limit per person without approval',
      kind: 'money',
      hint: 'Everything a person grants in one day. Above it, a second person approves.',
    },
    discountAlone: {
      label: 'Maximum discount',
      kind: 'money',
      hint: 'In percent of the retail price, for coupons, promotions and price lists.',
    },
    quoteMarginFloor: {
      label: 'Minimum margin',
      kind: 'money',
      hint: 'In percent of the price, for quotes, coupons, promotions and price lists. Below it, a manager approves.',
    },
    noShowPay: { label: 'No-show payout', kind: 'money', hint: 'Paid to the shop when the car never came.' },
    payHoldHours: {
      label: 'Hours until a job’s pay is due',
      kind: 'number',
      max: 2,
      hint: `Enter 0 to ${maxPayHoldHours}. We guarantee shop payouts within ${countOf(INSTALLER_PAID_WITHIN_HOURS, 'hour')} of the job.`,
    },
    payDisputeDays: { label: 'Days to dispute pay', kind: 'number', max: 2, hint: 'From 1 to 60.' },
    payAlone: {
      label: 'Pay adjustment limit per shop and week',
      kind: 'money',
      hint: 'Above it, a second person approves.',
    },
    belowMap: belowMapField,
  } satisfies FieldsOf<typeof settingsForm>
  return {
    logo: {
      label: 'Logo',
      kind: 'file',
      accept: 'image/png,image/jpeg,image/webp',
      isOptional: true,
      hint: `PNG, JPEG or WebP, up to ${UPLOAD_MAX_BYTES / 1024 / 1024} MB. Shown 32 px high in the header instead of the name.`,
    },
    removeLogo: logo ? (
      <div>
        <p>
          <img src={logo} alt="The current logo" height={32} />
        </p>
        <label className="check">
          <input type="checkbox" name="removeLogo" value="yes" /> Remove the logo
        </label>
      </div>
    ) : null,
    ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, value: values[name] }])),
  }
}
