import type { FieldOptions } from '#app/ui/select-options.tsx'
import type { FormReply } from '#app/forms/form.ts'
import { FormInputs } from '#app/office/form.tsx'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { maxQuantityPerLine } from '#domain/payments/cart/cart.ts'
import type { QuoteView } from '#app/views/office/quote.server.ts'

const labels = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  account: 'Account',
  label: 'Prices',
  vehicle: 'Vehicle',
  zip: 'ZIP',
  shop: 'Shop',
  warehouse: 'Warehouse',
  carrierLocation: 'Carrier location',
  address1: 'Address',
  address2: 'Apartment or suite',
  city: 'City',
  state: 'State',
  goodThrough: 'Last day',
  q: 'Find tires',
}

/** The whole draft is one form. Every button saves it first, so no input is lost. */
export function DraftForm({ quote, reply }: { quote: QuoteView; reply: FormReply | undefined }) {
  return (
    <form method="post" action={officePaths.officeQuote(quote.id)} className="office-stack" id="draft" noValidate>
      <input type="hidden" name="revision" value={quote.revision} />
      {/* Enter in a field saves; the first button of a form is the one it clicks. */}
      <button className="visually-hidden" name="intent" value="save" tabIndex={-1} aria-hidden="true" />
      <ErrorSummary reply={reply} labels={labels} />
      <CustomerPanel quote={quote} reply={reply} />
      <TiresPanel quote={quote} reply={reply} />
      <FindPanel quote={quote} reply={reply} />
      <PlacePanel quote={quote} reply={reply} />
      <AddressPanel quote={quote} reply={reply} />
      <Panel id="until" title="Good until">
        <PanelBody>
          <FormInputs
            reply={reply}
            fields={{
              goodThrough: {
                label: 'Last day',
                kind: 'day',
                value: quote.goodThrough,
                min: quote.today,
                hint: 'The prices end at midnight, Eastern Time.',
              },
              note: { label: 'Message', kind: 'area', value: quote.note, rows: 3, max: 1_000, isOptional: true },
            }}
          />
        </PanelBody>
      </Panel>
    </form>
  )
}

type Part = { quote: QuoteView; reply: FormReply | undefined }

function CustomerPanel({ quote, reply }: Part) {
  return (
    <Panel id="customer" title="Customer">
      <PanelBody isPair>
        <FormInputs
          reply={reply}
          fields={{
            name: { label: 'Name', value: quote.name, max: 80 },
            email: { label: 'Email', kind: 'email', value: quote.email },
            phone: { label: 'Phone', kind: 'phone', value: quote.phone, max: 30, isOptional: true },
            account: {
              label: 'Account',
              kind: 'email',
              value: quote.account,
              isOptional: true,
              hint: 'The email that the customer signs in with. Company prices are quoted to company accounts only.',
            },
          }}
        />
      </PanelBody>
    </Panel>
  )
}

function AddressPanel({ quote, reply }: Part) {
  return (
    <Panel id="address" title="Customer’s address" note="for orders by phone">
      <PanelBody isPair>
        <FormInputs
          reply={reply}
          fields={{
            address1: {
              label: 'Address',
              value: quote.address?.address1,
              max: 100,
              isOptional: true,
              hint: 'With the address, the link opens the payment page, or the times of the shop. The ZIP is the one above.',
            },
            address2: { label: 'Apartment or suite', value: quote.address?.address2, max: 100, isOptional: true },
            city: { label: 'City', value: quote.address?.city, max: 60, isOptional: true },
            state: {
              label: 'State',
              value: quote.address?.state,
              max: 2,
              isOptional: true,
              hint: 'Two letters, such as IL.',
            },
          }}
        />
      </PanelBody>
    </Panel>
  )
}

function TiresPanel({ quote, reply }: Part) {
  return (
    <Panel id="tires" title="Vehicle and tires">
      <PanelBody>
        <FormInputs
          reply={reply}
          fields={{
            vehicle: {
              label: 'Vehicle',
              value: quote.vehicle,
              max: 120,
              isOptional: true,
              hint: 'Year, make and model, such as 2019 Honda CR-V EX.',
            },
            label: {
              label: 'Prices',
              kind: 'choice',
              value: quote.label,
              options: quote.labels.map(({ value, name }) => [value, name]),
              hint: 'Special pricing uses the unit prices below. Deals and codes don’t apply to quotes.',
            },
          }}
        />
      </PanelBody>
      {quote.lines.map((line) => (
        <PanelBody key={line.itemId}>
          <TireFields line={line} isTyped={quote.label === 'Special Order'} reply={reply} />
        </PanelBody>
      ))}
      <PanelBody>
        <p className="small">Staff only, not in the email: {quote.staffOnly}</p>
      </PanelBody>
    </Panel>
  )
}

function TireFields({
  line,
  isTyped,
  reply,
}: {
  line: QuoteView['lines'][number]
  isTyped: boolean
  reply: Part['reply']
}) {
  const { itemId, name, facts, fit, margin, isLow } = line
  return (
    <fieldset className="stack">
      <legend className="strong">{name}</legend>
      {fit ? <p className="small">{fit.text}</p> : null}
      <p className="small muted">{facts}</p>
      <p className={isLow ? 'field-error' : 'small muted'}>{isLow ? `${margin}: needs approval` : margin}</p>
      <div className="quote-fields">
        <Field
          name={`quantity-${itemId}`}
          label="Quantity"
          reply={reply}
          value={String(line.quantity)}
          type="number"
          min={1}
          max={maxQuantityPerLine}
          inputMode="numeric"
        />
        <Field
          name={`price-${itemId}`}
          label="Unit price"
          reply={reply}
          value={line.price}
          inputMode="decimal"
          maxLength={12}
          autoComplete="off"
          readOnly={!isTyped}
        />
        <SelectField name={`axle-${itemId}`} label="Position" reply={reply} value={line.axle}>
          <option value="all">All wheels</option>
          <option value="front">Front</option>
          <option value="rear">Rear</option>
        </SelectField>
        <button className="btn quiet" name="intent" value={`remove-${itemId}`}>
          Remove<span className="visually-hidden"> {name}</span>
        </button>
      </div>
      <label className="check">
        <input
          type="checkbox"
          name={`coverage-${itemId}`}
          value="1"
          defaultChecked={reply ? reply.values[`coverage-${itemId}`] === '1' : line.coverage}
        />{' '}
        Replacement coverage
      </label>
    </fieldset>
  )
}

function FindPanel({ quote, reply }: Part) {
  return (
    <Panel id="find" title="Add tires">
      <PanelBody>
        <FormInputs
          reply={reply}
          fields={{
            q: {
              label: 'Find tires',
              value: quote.search,
              max: 120,
              isOptional: true,
              hint: 'A size, model, SKU or vehicle. Leave empty for the sizes of the vehicle above.',
            },
          }}
        />
        <p>
          <button className="btn quiet" name="intent" value="find">
            Find
          </button>
        </p>
        {quote.search !== null && quote.found.length === 0 ? <p>No tire matches.</p> : null}
        {quote.found.length > 0 ? (
          <ul className="office-list">
            {quote.found.map(({ itemId, name, price, stock, fit, isIn }) => (
              <li key={itemId}>
                <span>
                  <b>{name}</b>
                  <br />
                  <span className="small muted">{[price, `${stock} in stock`, fit].filter(Boolean).join(' · ')}</span>
                </span>
                {isIn ? (
                  <span className="muted">In the quote</span>
                ) : (
                  <button className="btn quiet" name="intent" value={`add-${itemId}`}>
                    Add<span className="visually-hidden"> {name}</span>
                  </button>
                )}
              </li>
            ))}
          </ul>
        ) : null}
      </PanelBody>
    </Panel>
  )
}

const fulfillments: Readonly<Record<QuoteView['fulfillment'], string>> = {
  shop: 'Installed at a shop',
  home: 'Delivered to an address',
  'warehouse-pickup': 'Warehouse pickup',
  'carrier-pickup': 'Carrier pickup',
}

type PlaceField = {
  name: 'shop' | 'warehouse' | 'carrierLocation'
  label: string
  fulfillment: QuoteView['fulfillment']
  chosen: number | null
  places: readonly { id: number; name: string }[]
  /** The option without a place. */
  empty: string
  hint: string
  /** The hint after a search near the saved ZIP code found no places. */
  noneNear: string
}

/** The place fields, one per fulfillment. */
function placeFields(quote: QuoteView): PlaceField[] {
  return [
    {
      name: 'shop',
      label: labels.shop,
      fulfillment: 'shop',
      chosen: quote.shopId,
      places: quote.shops,
      empty: 'Choose a shop',
      hint: 'Save with a ZIP to see the shops near it that install these tires. The customer picks the time.',
      noneNear: 'No shop near this ZIP installs these tires.',
    },
    {
      name: 'warehouse',
      label: labels.warehouse,
      fulfillment: 'warehouse-pickup',
      chosen: quote.warehouseId,
      places: quote.warehouses,
      empty: 'Choose a warehouse',
      hint: 'Save with a ZIP to see the pickup warehouses near it.',
      noneNear: 'No warehouse near this ZIP has pickup.',
    },
    {
      name: 'carrierLocation',
      label: labels.carrierLocation,
      fulfillment: 'carrier-pickup',
      chosen: quote.carrierLocationId,
      places: quote.carrierLocations,
      empty: 'Choose a location',
      hint: 'Save with a ZIP to see the carrier locations near it.',
      noneNear: 'No carrier location near this ZIP was found.',
    },
  ]
}

/** A place field. CSS hides it for other fulfillments. */
function PlaceInput({ field, quote, reply }: Part & { field: PlaceField }) {
  const { name, label, fulfillment, chosen, places, empty, hint, noneNear } = field
  const options: FieldOptions = [
    ['', empty],
    ...places.map((place): [string, string] => [String(place.id), place.name]),
  ]
  const isNoneNear = quote.fulfillment === fulfillment && quote.zip !== null && places.length === 0
  return (
    <div className={`quote-place-${name}`}>
      <FormInputs
        reply={reply}
        fields={{
          [name]: { label, kind: 'choice', value: String(chosen ?? ''), options, hint: isNoneNear ? noneNear : hint },
        }}
      />
    </div>
  )
}

function PlacePanel({ quote, reply }: Part) {
  const chosen = reply?.values['fulfillment'] ?? quote.fulfillment
  return (
    <Panel id="place" title="Delivery and services">
      <PanelBody>
        <fieldset className="quote-choices">
          <legend className="strong">Fulfillment</legend>
          {Object.entries(fulfillments).map(([value, label]) => (
            <label key={value}>
              <input type="radio" name="fulfillment" value={value} defaultChecked={value === chosen} /> {label}
            </label>
          ))}
        </fieldset>
        <FormInputs
          reply={reply}
          fields={{
            zip: { label: 'ZIP', kind: 'number', value: quote.zip, max: 5 },
            ...Object.fromEntries(
              placeFields(quote).map((field) => [
                field.name,
                <PlaceInput key={field.name} field={field} quote={quote} reply={reply} />,
              ]),
            ),
            roadside: (
              <div className="quote-place-shop">
                <FormInputs
                  reply={reply}
                  fields={{ roadside: { label: quote.roadsideLabel, kind: 'tick', isTicked: quote.roadside } }}
                />
              </div>
            ),
          }}
        />
      </PanelBody>
    </Panel>
  )
}
