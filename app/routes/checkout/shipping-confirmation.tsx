import { Form, useNavigation } from 'react-router'
import { readMoney, requireCart } from '#app/http/checkout.server.ts'
import { checkForm, readForm, refuseForm } from '#app/http/form.ts'
import { seeOther } from '#app/http/safe-redirect.ts'
import { paths } from '#app/paths.ts'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import { SideSummary } from '#app/routes/checkout/side-summary.tsx'
import { holdView } from '#app/routes/checkout/shipping-view.server.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { RoadSteps } from '#app/ui/road-steps.tsx'
import { stateOptions } from '#app/ui/states.ts'
import { findHold } from '#domain/booking/booking.server.ts'
import { maxHoldExtensions } from '#domain/booking/booking.ts'
import { judgeCart, saveContact } from '#domain/checkout/checkout.server.ts'
import { contactForm } from '#domain/checkout/checkout.ts'
import { timeText } from '#domain/orders/orders.ts'
import { findPlace } from '#domain/places/places.server.ts'
import type { Route } from './+types/shipping-confirmation.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, { title: 'Your details', description: 'Who the order is for and how we reach you.', path: paths.checkoutDetails(), isIndexed: false })

export async function loader({ context }: Route.LoaderArgs) {
  const { shop, cart } = await requireCart(context)
  if (!cart.fulfilment) throw seeOther(paths.checkoutShipping())
  const isInstalled = cart.fulfilment === 'shop' || cart.fulfilment === 'mobile'
  const [hold, { money, quote, contact }, verdict, place] = await Promise.all([
    findHold(shop, cart.id),
    readMoney(shop, cart),
    judgeCart(shop, cart),
    cart.zip ? findPlace(shop.db, cart.zip) : undefined,
  ])
  // Without a time there is nothing to confirm; the shipping page says what is missing.
  if (isInstalled && !hold) throw seeOther(paths.checkoutShipping(cart.fulfilment))
  const where =
    isInstalled && quote.shop && hold
      ? {
          title: quote.shop.name,
          line: quote.shop.kind === 'van' ? 'The van comes to the address below' : `${quote.shop.street}, ${quote.shop.city}`,
          time: timeText(hold.start, hold.timeZone),
        }
      : cart.fulfilment === 'carrier-pickup' && quote.carrierLocation
        ? { title: quote.carrierLocation.name, line: `${quote.carrierLocation.street}, ${quote.carrierLocation.city}`, time: '' }
        : { title: 'Shipped to your address', line: '', time: '' }
  return {
    isInstalled,
    tab: cart.fulfilment,
    where,
    vehicle: verdict?.vehicleName ?? null,
    contact: contact ?? { city: place?.city ?? '', state: place?.state ?? '', zip: place?.zip ?? '' },
    money,
    hold: hold ? holdView(hold, maxHoldExtensions, shop.clock.now()) : null,
    now: shop.clock.now().toString(),
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { shop, cart } = await requireCart(context)
  const fields = await readForm(request)
  const checked = checkForm(contactForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const saved = await saveContact(shop, cart, checked.value)
  if (!saved.ok) return refuseForm({ values: Object.fromEntries(fields), errors: { [saved.detail.name]: saved.detail.message } })
  return seeOther(paths.checkoutServices())
}

const labels: Record<string, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  address1: 'Address',
  address2: 'Apartment, suite',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  email: 'Email',
  phone: 'Phone',
  phoneType: 'Phone type',
  vehicleNote: 'Vehicle',
}

export default function ShippingConfirmation({ loaderData, actionData }: Route.ComponentProps) {
  const { where, isInstalled, contact, money, hold, vehicle } = loaderData
  const reply = actionData
  const given = contact as Record<string, unknown>
  const value = (name: string) => (typeof given[name] === 'string' ? given[name] : null)
  const phone = given['phone'] as { digits: string; extension: string | null } | undefined
  return (
    <div className="wrap">
      <RoadSteps at={2} />
      <div className="checkout-head">
        <h1>Your details</h1>
        <p className="muted">{isInstalled ? 'So the shop knows who comes, and we can reach you.' : 'Where the tires go, and how we reach you.'}</p>
      </div>
      <div className="checkout-columns">
        <div className="stack">
          <div className="panel padded where">
            <div>
              <p className="strong">{where.title}</p>
              {where.line ? <p className="small muted">{where.line}</p> : null}
              {where.time ? <p className="tabular">{where.time}</p> : null}
              {money.arrivesBy ? <p className="small muted">Tires there by {money.arrivesBy}</p> : null}
            </div>
            <a href={paths.checkoutShipping(loaderData.tab)}>Change</a>
          </div>
          {hold && isInstalled ? <HoldBar hold={hold} now={loaderData.now} tab={loaderData.tab} form="page" /> : null}
          <Form method="post" className="panel padded details-form" noValidate>
            <ErrorSummary reply={reply} labels={labels} />
            <fieldset className="field-grid">
              <legend>Who</legend>
              <Field name="firstName" label="First name" value={value('firstName')} reply={reply} autoComplete="given-name" maxLength={25} required />
              <Field name="lastName" label="Last name" value={value('lastName')} reply={reply} autoComplete="family-name" maxLength={25} required />
              <Field
                name="email"
                label="Email"
                value={value('email')}
                reply={reply}
                type="email"
                autoComplete="email"
                maxLength={254}
                required
                className="wide"
                hint="For your receipt and the time of your appointment."
              />
              <Field
                name="phone"
                label="Phone"
                value={phone ? `${phone.digits}${phone.extension ? ` x${phone.extension}` : ''}` : null}
                reply={reply}
                type="tel"
                autoComplete="tel-national"
                maxLength={40}
                required
              />
              <SelectField name="phoneType" label="Phone type" value={value('phoneType')} reply={reply}>
                <option value="">Choose</option>
                <option value="mobile">Mobile</option>
                <option value="home">Home</option>
                <option value="work">Work</option>
              </SelectField>
            </fieldset>
            <fieldset className="field-grid">
              <legend>
                {loaderData.tab === 'home' || loaderData.tab === 'mobile'
                  ? loaderData.tab === 'mobile'
                    ? 'Where the van comes'
                    : 'Where they go'
                  : 'Your address'}
              </legend>
              <Field
                name="address1"
                label="Address"
                value={value('address1')}
                reply={reply}
                autoComplete="address-line1"
                maxLength={100}
                required
                className="wide"
              />
              <Field
                name="address2"
                label="Apartment, suite"
                value={value('address2')}
                reply={reply}
                autoComplete="address-line2"
                maxLength={100}
                required={false}
              />
              <Field name="company" label="Company" value={value('company')} reply={reply} autoComplete="organization" maxLength={80} required={false} />
              <Field name="city" label="City" value={value('city')} reply={reply} autoComplete="address-level2" maxLength={60} required />
              <SelectField name="state" label="State" value={value('state')} reply={reply} autoComplete="address-level1">
                <option value="">Choose</option>
                {stateOptions.map(([code, name]) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </SelectField>
              <Field name="zip" label="ZIP code" value={value('zip')} reply={reply} inputMode="numeric" autoComplete="postal-code" maxLength={10} required />
              <Field
                name="instructions"
                label="Special instructions"
                value={value('instructions')}
                reply={reply}
                maxLength={500}
                required={false}
                className="wide"
              />
            </fieldset>
            {isInstalled ? (
              <fieldset className="field-grid">
                <legend>Vehicle</legend>
                {vehicle ? (
                  <p className="wide">{vehicle}</p>
                ) : (
                  <Field
                    name="vehicleNote"
                    label="Year, make and model"
                    value={value('vehicleNote')}
                    reply={reply}
                    maxLength={80}
                    required
                    className="wide"
                    hint="So the shop knows which car comes. A trailer? Say so here."
                  />
                )}
              </fieldset>
            ) : null}
            <Submit />
          </Form>
        </div>
        <SideSummary money={money} />
      </div>
    </div>
  )
}

function Submit() {
  const isBusy = useNavigation().state !== 'idle'
  return (
    <button className="btn primary large" type="submit" disabled={isBusy}>
      {isBusy ? 'Saving…' : 'Continue'}
    </button>
  )
}
