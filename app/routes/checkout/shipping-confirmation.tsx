import { data, Form, useNavigation } from 'react-router'
import { readMoney, requireCart, requireCheckout } from '#app/views/checkout.server.ts'
import { signedInContext, visitorContext } from '#app/server/context.ts'
import { checkForm, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths, withQuery } from '#content/paths.ts'
import { AddressQuestion, type AddressQuestionView } from '#app/routes/checkout/address-question.tsx'
import { tabOf } from '#app/routes/checkout/fulfillment-tabs.ts'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import { SideSummary } from '#app/routes/checkout/side-summary.tsx'
import { holdView } from '#app/routes/checkout/shipping-view.server.ts'
import { AddressFields, contactLabels, contactValue, NameFields, PhoneFields } from '#app/ui/contact-fields.tsx'
import { ConsentWords } from '#app/ui/consent-words.tsx'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { NewPage } from '#app/ui/new-page.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { serviceSteps, Stepper } from '#app/ui/stepper.tsx'
import { sendAndKeep } from '#app/ui/send-and-keep.ts'
import { isInstallation, addressText, type Fulfillment } from '#domain/supply/delivery/delivery.ts'
import { isInstallationRefused } from '#domain/catalog/fitment/fitment.ts'
import { decodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { savedContact } from '#domain/customers/accounts/accounts.server.ts'
import type { ChosenTime } from '#domain/scheduling/booking/booking.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import {
  judgeCart,
  saveContact,
  type CartQuote,
  type ContactRefusal,
} from '#domain/ordering/checkout/checkout.server.ts'
import { contactForm, type Contact } from '#domain/supply/contact-forms/contact-forms.ts'
import { holdText } from '#domain/ordering/orders/orders.ts'
import { saveCartWish, selectCartWish } from '#domain/messaging/texts/texts.server.ts'
import { consentWords } from '#domain/messaging/texts/texts.ts'
import { isWallet } from '#domain/payments/payments/payments.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { newId } from '#platform/ids.ts'
import type { Application } from '#application'
import type { Route } from './+types/shipping-confirmation.ts'

export const handle = { arrival: () => <NewPage /> }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your details',
    description: 'Who the order is for and how we reach you.',
    path: paths.shippingConfirmation(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const { app, cart, checkout } = await requireCheckout(context)
  if (!cart.fulfillment) throw seeOther(paths.checkoutShipping())
  const isInstalled = isInstallation(cart.fulfillment)
  const [hold, { money, quote, contact }, verdict, place, saved] = await Promise.all([
    findChosenTime(app, cart.id),
    readMoney(app, cart, checkout),
    judgeCart(app, cart),
    cart.zip ? findPlace(app.db, cart.zip) : undefined,
    context
      .get(signedInContext)()
      .then((signedIn) => signedIn && savedContact(app, signedIn)),
  ])
  // Tires that don't fit aren't installed, and an order without a time can't be confirmed. The shipping page shows
  // which detail is missing.
  if (isInstalled && (!hold || isInstallationRefused(verdict)))
    throw seeOther(paths.checkoutShipping(tabOf(cart.fulfillment)))
  return {
    isInstalled,
    texts: await readTextsBox(app, cart.id),
    tab: cart.fulfillment,
    where: destinationView(cart.fulfillment, quote, hold),
    vehicle: verdict?.vehicleName ?? null,
    visited: cart.services.length > 0 ? chosenVehicleName(context.get(visitorContext).vehicle) : null,
    // An account without an address still provides its email.
    contact: contact ?? { ...addressAt(place), ...saved },
    money,
    hold: hold ? holdView(hold, cart) : null,
    now: app.clock.now().toString(),
  }
}

/** Returns the vehicle chosen in this browser, as the start of what the shopper types. */
function chosenVehicleName(vehicle: string | undefined): string | null {
  const chosen = vehicle === undefined ? undefined : decodeChosenVehicle(vehicle)
  return chosen ? chosen.name.slice(0, 80) : null
}

/** Returns the parts of an address known from the ZIP code. */
function addressAt(place: { city: string; state: string; zip: string } | undefined) {
  return { city: place?.city ?? '', state: place?.state ?? '', zip: place?.zip ?? '' }
}

/** Returns the text-message checkbox with its saved state. Returns null if the store doesn't send text messages. */
async function readTextsBox(app: Application, cartId: string): Promise<{ words: string; isWanted: boolean } | null> {
  if (!app.texts) return null
  const wish = await selectCartWish(app.db, cartId)
  return { words: consentWords(app.config.store.name), isWanted: wish !== undefined }
}

/** Where the tires go, and when they are installed; empty if unknown. */
function destinationView(
  fulfillment: Fulfillment,
  { shop, carrierLocation, warehouse }: CartQuote,
  hold: ChosenTime | undefined,
): { title: string; line: string; time: string } {
  if (isInstallation(fulfillment) && shop && hold)
    return {
      title: shop.name,
      line: shop.kind === 'van' ? 'The van comes to the address below' : `${shop.street}, ${shop.city}`,
      time: holdText(hold.booking),
    }
  if (fulfillment === 'carrier-pickup' && carrierLocation)
    return { title: carrierLocation.name, line: `${carrierLocation.street}, ${carrierLocation.city}`, time: '' }
  if (fulfillment === 'warehouse-pickup' && warehouse)
    return { title: warehouse.name, line: `${warehouse.street}, ${warehouse.city}`, time: '' }
  return { title: 'Shipped to your address', line: '', time: '' }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { app, cart } = await requireCart(context)
  const fields = await readForm(request)
  const checked = checkForm(contactForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const saved = await saveContact(app, cart, checked.value, {
    address: fields.get('keepAddress'),
    shop: fields.get('shipToShop'),
  })
  if (!saved.ok) return refuseContact(fields, checked.value, saved)
  const words = app.texts && fields.get('texts') === '1' ? consentWords(app.config.store.name) : null
  await saveCartWish(app, { cartId: cart.id, words })
  // Shoppers who chose a device wallet continue to payment with a document reload for its headers (http/security.ts).
  return isWallet(cart.paymentMethod)
    ? seeOther(paths.checkoutPayment(cart.paymentMethod), [['x-remix-reload-document', 'true']])
    : seeOther(cart.lines.length > 0 ? paths.checkoutServices() : paths.checkoutPayments())
}

/** A message at its field, or a question about the address. */
function refuseContact(fields: URLSearchParams, contact: Contact, refusal: ContactRefusal) {
  const values = Object.fromEntries(fields)
  if (refusal.reason === 'field')
    return refuseForm({ values, errors: { [refusal.detail.name]: refusal.detail.message } })
  return data({ values, errors: {}, question: questionView(contact, refusal) }, { status: 409 })
}

function questionView(contact: Contact, refusal: Exclude<ContactRefusal, { reason: 'field' }>): AddressQuestionView {
  const asked = newId()
  if (refusal.reason === 'address-of-shop') {
    const { shop, key } = refusal.detail
    return {
      asked,
      kind: 'shop',
      name: shop.name,
      path: withQuery(paths.checkoutShipping('shop'), { shop: shop.id }),
      key,
    }
  }
  const { words, recommended, key } = refusal.detail
  return {
    asked,
    kind: 'unsure',
    words,
    entered: addressText(contact),
    recommended: recommended && {
      text: addressText(recommended),
      fields: { ...recommended, address2: recommended.address2 ?? '' },
    },
    key,
  }
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendAndKeep(serverAction)
}

export default function ShippingConfirmation({ loaderData, actionData }: Route.ComponentProps) {
  const { where, isInstalled, tab, contact, money, hold, vehicle, visited, texts } = loaderData
  const reply = actionData
  const value = contactValue(contact)
  return (
    <div className="wrap">
      <Stepper at={2} steps={money.isService ? serviceSteps : undefined} />
      {reply && 'question' in reply ? (
        <AddressQuestion key={reply.question.asked} question={reply.question} values={reply.values} />
      ) : null}
      <div className="checkout-head">
        <h1>Your details</h1>
        <p className="muted">
          {isInstalled
            ? 'So the shop can identify you and we can contact you.'
            : 'Where the tires go, and how we reach you.'}
        </p>
      </div>
      <div className="checkout-columns">
        <div className="stack">
          <Destination where={where} arrivesBy={money.arrivesBy} tab={tab} />
          {hold && isInstalled ? <HoldBar hold={hold} now={loaderData.now} tab={tab} form="page" /> : null}
          <Form method="post" className="panel padded details-form" noValidate>
            <ErrorSummary reply={reply} labels={contactLabels} />
            <fieldset className="field-grid">
              <legend>Who</legend>
              <NameFields value={value} reply={reply} />
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
              <PhoneFields value={value} reply={reply} />
              {texts ? <TextsBox texts={texts} reply={reply} /> : null}
            </fieldset>
            <fieldset className="field-grid">
              <legend>{addressLegends[tab]}</legend>
              <AddressFields value={value} reply={reply} />
              <Field
                name="instructions"
                label={tab === 'mobile' ? 'Gate code, parking and where the car is' : 'Special instructions'}
                value={value('instructions')}
                reply={reply}
                maxLength={500}
                required={false}
                className="wide"
              />
            </fieldset>
            {isInstalled ? (
              <VehicleFields vehicle={vehicle} note={value('vehicleNote') ?? visited} reply={reply} />
            ) : null}
            <Submit />
          </Form>
        </div>
        <SideSummary money={money} />
      </div>
    </div>
  )
}

/** Unchecked by default. A confirmation text message follows the order. */
function TextsBox({
  texts: { words, isWanted },
  reply,
}: {
  texts: { words: string; isWanted: boolean }
  reply: FormReply | undefined
}) {
  const isChecked = reply ? reply.values['texts'] === '1' : isWanted
  return (
    <label className="check wide">
      <input type="checkbox" name="texts" value="1" defaultChecked={isChecked} />
      <span>
        Text me about this order
        <br />
        <ConsentWords words={words} />
      </span>
    </label>
  )
}

const addressLegends: Record<Fulfillment, string> = {
  shop: 'Your address',
  mobile: 'Where the van comes',
  home: 'Where they go',
  'carrier-pickup': 'Your address',
  'warehouse-pickup': 'Your address',
}

function Destination({
  where,
  arrivesBy,
  tab,
}: {
  where: { title: string; line: string; time: string }
  arrivesBy: string | null
  tab: Fulfillment
}) {
  return (
    <div className="panel padded where">
      <div>
        <p className="strong">{where.title}</p>
        {where.line ? <p className="small muted">{where.line}</p> : null}
        {where.time ? <p className="tabular">{where.time}</p> : null}
        {arrivesBy ? (
          <p className="small muted">
            {tab === 'warehouse-pickup' ? 'Ready by' : 'Tires there by'} {arrivesBy}
          </p>
        ) : null}
      </div>
      <a href={paths.checkoutShipping(tabOf(tab))}>Change</a>
    </div>
  )
}

/** Renders the cart's vehicle, or a field if the cart has no vehicle. `note` is that field's saved text. */
function VehicleFields({
  vehicle,
  note,
  reply,
}: {
  vehicle: string | null
  note: string | null
  reply: FormReply | undefined
}) {
  return (
    <fieldset className="field-grid">
      <legend>Vehicle</legend>
      {vehicle ? (
        <p className="wide">{vehicle}</p>
      ) : (
        <Field
          name="vehicleNote"
          label="Year, make and model"
          value={note}
          reply={reply}
          maxLength={80}
          required
          className="wide"
          hint="Helps the shop identify your car. If it’s a trailer, enter that here."
        />
      )}
    </fieldset>
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
