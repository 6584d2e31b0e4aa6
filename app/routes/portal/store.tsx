import { data } from 'react-router'
import { checkForm, formRefusal, readFormWithFile, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireShop } from '#app/server/portal.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { StoreOrders } from '#app/ui/portal/store-orders.tsx'
import { readStoreOrders } from '#app/views/dealer-orders.server.ts'
import { supportMessages } from '#content/messages/support.ts'
import { brandPaths } from '#content/brand-paths.ts'
import { paths } from '#content/paths.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { brandedStoreForm, storeStates } from '#domain/installer-portal/branded-stores/branded-stores.ts'
import {
  hostRecordOf,
  proveHost,
  readOwnStore,
  saveStore,
  storeStateOf,
  type KeptStore,
  type ProveHostRefusal,
  type SaveStoreRefusal,
} from '#domain/installer-portal/branded-stores/branded-stores.server.ts'
import { keptDays } from '#http/visitor.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/store.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Your store', portalPaths.portal())

const news: Readonly<Record<string, string>> = {
  saved: 'Saved. Shoppers see it from their next page on.',
  proved: 'Your host name leads to your store from now on.',
  waits: 'Saved. We look at the name, the logo and the code, and then switch your store on.',
}

export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const { app, place } = await requireShop(context, 'store.edit', {
    shopCode,
    path: portalPaths.store(shopCode),
  })
  const [store, sold] = await Promise.all([
    readOwnStore(app, place.shopId),
    readStoreOrders(app, { shopId: place.shopId, timeZone: place.timeZone }),
  ])
  return {
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    values: valuesOf(store, place.shopName),
    logo: store?.logo ? brandPaths.logo(`${store.logo}.webp`) : null,
    state: store ? { name: storeStateOf(store), reason: store.offReason } : null,
    host: store ? hostView(store) : null,
    link: store ? `${app.config.web.origin}${paths.home()}?dealerCode=${store.dealerCode}` : null,
    linkDays: keptDays.dealer,
    sold,
  }
}

function hostView(
  store: KeptStore,
): { name: string; record: { name: string; text: string }; isProved: boolean } | null {
  const record = hostRecordOf(store)
  return record && { name: store.hostName ?? '', record, isProved: store.hostVerifiedAt !== null }
}

function valuesOf(store: KeptStore | undefined, shopName: string): Record<string, string> {
  return {
    name: store?.name ?? shopName.slice(0, 40),
    tagline: store?.tagline ?? '',
    dealerCode: store?.dealerCode ?? '',
    brandColor: store?.brandColor ?? '#14161a',
    accentColor: store?.accentColor ?? '#ffb400',
    hostName: store?.hostName ?? '',
    seen: String(store?.version ?? 0),
  }
}

/** Saves the store profile. Changes that shoppers see require office approval. */
export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const { app, actor } = await requireShop(context, 'store.edit', { shopCode, path: portalPaths.store(shopCode) })
  const { fields, file } = await readFormWithFile(request, 'logo')
  if (fields.get('intent') === 'check-host') {
    const proved = await proveHost(app, actor)
    return proved.ok ? seeOther(portalPaths.store(shopCode, 'proved')) : hostRefusal(fields, proved.reason)
  }
  const checked = checkForm(brandedStoreForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  if (file && file.size > UPLOAD_MAX_BYTES) return faulty(fields, { logo: supportMessages.tooLarge })
  const logo = file && { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
  const saved = await saveStore(app, actor, { input: checked.value, file: logo }, request.signal)
  return saved.ok
    ? seeOther(portalPaths.store(shopCode, saved.value.waits ? 'waits' : 'saved'))
    : answerRefusal(fields, saved.reason)
}

function hostRefusal(fields: URLSearchParams, reason: ProveHostRefusal['reason']) {
  if (reason === 'not-allowed') throw data(null, { status: 403 })
  return refuseForm(formRefusal(fields, hostMessages[reason]), reason === 'unavailable' ? 503 : 409)
}

const hostMessages = {
  'no-host': 'Your store has no host name. Save one first.',
  'no-record': 'We can’t find the record yet. DNS changes can take an hour. Check again later.',
  'host-taken': 'Another shop has proved this host name.',
  unavailable: 'No name server answered. Check again in a few minutes.',
} as const

function answerRefusal(fields: URLSearchParams, reason: SaveStoreRefusal['reason']) {
  switch (reason) {
    case 'not-allowed':
      throw data(null, { status: 403 })
    case 'stale':
      return refuseForm(formRefusal(fields, 'Your store was changed in another window. Reload the page.'), 409)
    case 'code-taken':
      return faulty(fields, { dealerCode: 'Another shop has this code. Choose another one.' }, 409)
    case 'busy':
      return faulty(fields, { logo: supportMessages.busy }, 503)
    default:
      return faulty(fields, { logo: logoMessages[reason] })
  }
}

function faulty(fields: URLSearchParams, errors: Record<string, string>, status?: 409 | 503) {
  return refuseForm(formRefusal(fields, 'Fix 1 field:', errors), status)
}

const logoMessages = {
  'not-a-picture': 'Choose a PNG, JPEG or WebP picture. We don’t accept SVG because it can contain scripts.',
  'other-kind': 'Choose a PNG, JPEG or WebP picture.',
  'too-large': supportMessages.tooLarge,
  unreadable: supportMessages.unreadable,
  'unsafe-pdf': supportMessages.unsafePdf,
  'too-many-pixels': supportMessages.tooManyPixels,
} as const

const labels = {
  name: 'Name of the store',
  tagline: 'Line below it',
  dealerCode: 'Dealer code',
  logo: 'Logo',
  brandColor: 'Color of the bar',
  accentColor: 'Color of the main buttons',
  hostName: 'Your own host name',
}

export default function Store({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { news: done, values, logo, state, host, link, linkDays, sold } = loaderData
  const isHostForm = reply?.values['intent'] === 'check-host'
  return (
    <div className="wrap portal narrow">
      <h1>Your store</h1>
      <p className="muted">
        Our full store under your name. Your shop is selected, totals include your prices, and your customers get a road
        hazard plan in place of replacement coverage.
      </p>
      {done && !reply ? (
        <p className="portal-news" role="status">
          <Icon name="check-circle" size="s" /> {done}
        </p>
      ) : null}
      {state ? (
        <p>
          <b>{storeStates[state.name]}.</b> {state.reason}
        </p>
      ) : null}
      {state?.name === 'on' && link ? (
        <section className="portal-feed">
          <h2>Your link</h2>
          <p>
            <code>{link}</code>
          </p>
          <p>
            Put it on your site, in mails and on your counter. It stays with a visitor for {countOf(linkDays, 'day')}.
          </p>
        </section>
      ) : null}
      <StoreForm values={values} logo={logo} reply={isHostForm ? undefined : reply} />
      {host ? <OwnHost host={host} reply={isHostForm ? reply : undefined} /> : null}
      <StoreOrders sold={sold} />
    </div>
  )
}

function StoreForm({
  values,
  logo,
  reply,
}: {
  values: Record<string, string>
  logo: string | null
  reply: FormReply | undefined
}) {
  const field = (name: keyof typeof labels) => ({ name, label: labels[name], reply, value: values[name] })
  return (
    <form method="post" className="portal-form" encType="multipart/form-data" noValidate>
      <ErrorSummary reply={reply} labels={labels} />
      <input type="hidden" name="seen" value={values['seen']} />
      <Field {...field('name')} maxLength={40} required />
      <Field {...field('tagline')} maxLength={60} required={false} hint="Like: Family owned in Chicago since 1988." />
      <Field
        {...field('dealerCode')}
        maxLength={16}
        required
        autoCapitalize="characters"
        hint="4 to 16 letters and digits, for your links. Like HALSTED."
      />
      <Field
        {...field('logo')}
        value=""
        type="file"
        accept="image/png,image/jpeg,image/webp"
        required={false}
        hint={`PNG, JPEG or WebP, up to ${UPLOAD_MAX_BYTES / 1024 / 1024} MB. Without one, your first letters are shown.`}
      />
      {logo ? (
        <p>
          <img src={logo} alt="Your logo" height={44} />
          <label className="check">
            <input type="checkbox" name="removeLogo" value="yes" /> Remove the logo
          </label>
        </p>
      ) : null}
      <Field {...field('brandColor')} maxLength={7} required hint="Like #7b1e28. Text on it is black or white." />
      <Field {...field('accentColor')} maxLength={7} required hint="Like #f2c14e. Text on it is dark." />
      <Field
        {...field('hostName')}
        maxLength={100}
        required={false}
        inputMode="url"
        autoCapitalize="none"
        hint="Like tires.halsted.example. It leads to your store once you have shown that it is yours."
      />
      <button className="btn primary large wide">Save your store</button>
      <p className="muted">
        A new name, line, logo or code switches your store off until we have looked at it. Colors apply immediately.
      </p>
    </form>
  )
}

function OwnHost({
  host: { name, record, isProved },
  reply,
}: {
  host: { name: string; record: { name: string; text: string }; isProved: boolean }
  reply: FormReply | undefined
}) {
  return (
    <section className="portal-feed" aria-labelledby="host">
      <h2 id="host">{name}</h2>
      <ErrorSummary reply={reply} />
      {isProved ? (
        <p>This host name is yours and leads to your store. Keep the record.</p>
      ) : (
        <>
          <p>At your DNS provider, point the host name to our store and add a TXT record:</p>
          <p>
            <code>{record.name}</code>
          </p>
          <p>
            <code>{record.text}</code>
          </p>
          <form method="post">
            <button className="btn large wide" name="intent" value="check-host">
              Check the record
            </button>
          </form>
        </>
      )}
    </section>
  )
}
