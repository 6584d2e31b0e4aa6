import type { ComponentProps } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { maxQuantityPerLine } from '#domain/cart/cart.ts'
import type { QuoteView } from '#app/views/office-quote.server.ts'

const labels = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  account: 'Account',
  label: 'Prices',
  vehicle: 'Vehicle',
  zip: 'ZIP',
  goodThrough: 'Last day',
  q: 'Find tires',
}

/** The whole draft is one form: every button saves it first, so that nothing typed is lost. */
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
      <Panel id="until" title="Good until">
        <PanelBody>
          <Field
            name="goodThrough"
            label="Last day"
            reply={reply}
            value={quote.goodThrough}
            type="date"
            min={quote.today}
            hint="The prices end at midnight, Eastern Time."
          />
          <TextAreaField
            name="note"
            label="Message"
            reply={reply}
            value={quote.note}
            rows={3}
            maxLength={1000}
            isRequired={false}
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
        <Field name="name" label="Name" reply={reply} value={quote.name} maxLength={80} autoComplete="off" required />
        <Field
          name="email"
          label="Email"
          reply={reply}
          value={quote.email}
          type="email"
          maxLength={254}
          autoComplete="off"
          required
        />
        <OptionalField name="phone" label="Phone" reply={reply} value={quote.phone} type="tel" maxLength={30} />
        <OptionalField
          name="account"
          label="Account"
          reply={reply}
          value={quote.account}
          type="email"
          maxLength={254}
          hint="The email that the customer signs in with. A company’s prices are quoted to its account alone."
        />
      </PanelBody>
    </Panel>
  )
}

function TiresPanel({ quote, reply }: Part) {
  return (
    <Panel id="tires" title="Vehicle and tires">
      <PanelBody>
        <OptionalField
          name="vehicle"
          label="Vehicle"
          reply={reply}
          value={quote.vehicle}
          maxLength={120}
          hint="Year, make and model, like 2019 Honda CR-V EX."
        />
        <SelectField
          name="label"
          label="Prices"
          reply={reply}
          value={quote.label}
          hint="Special pricing uses the unit prices typed below. Deals and codes do not apply to a quote."
        >
          {quote.labels.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
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
        <OptionalField
          name="q"
          label="Find tires"
          reply={reply}
          value={quote.search}
          maxLength={120}
          hint="A size, model, SKU or vehicle. Leave empty for the sizes of the vehicle above."
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

function PlacePanel({ quote, reply }: Part) {
  const isHome = (reply?.values['fulfillment'] ?? quote.fulfillment) === 'home'
  const isRoadside = reply ? reply.values['roadside'] === '1' : quote.roadside
  return (
    <Panel id="place" title="Shop and services">
      <PanelBody>
        <fieldset className="quote-choices">
          <legend className="strong">Fulfillment</legend>
          <label>
            <input type="radio" name="fulfillment" value="shop" defaultChecked={!isHome} /> Installed at a shop
          </label>
          <label>
            <input type="radio" name="fulfillment" value="home" defaultChecked={isHome} /> Delivered to an address
          </label>
        </fieldset>
        <Field
          name="zip"
          label="ZIP"
          reply={reply}
          value={quote.zip}
          inputMode="numeric"
          maxLength={5}
          autoComplete="off"
        />
        <SelectField
          name="shop"
          label="Shop"
          reply={reply}
          value={quote.shopId === null ? '' : String(quote.shopId)}
          hint="Save with a ZIP to see the shops near it that install these tires. The customer picks the time."
        >
          <option value="">Choose a shop</option>
          {quote.shops.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <label className="check">
          <input type="checkbox" name="roadside" value="1" defaultChecked={isRoadside} /> Roadside assistance, 12
          months, with 4 tires installed
        </label>
      </PanelBody>
    </Panel>
  )
}

/** A field that may stay empty, and that the browser must not fill in with the staff member's own data. */
function OptionalField(field: ComponentProps<typeof Field>) {
  return <Field autoComplete="off" required={false} {...field} />
}
