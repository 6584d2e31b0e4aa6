import type { FormReply } from '#app/forms/form.ts'
import { FormInputs } from '#app/office/form.tsx'
import { ErrorSummary } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { countOf } from '#platform/count-text.ts'
import { mostQuoteVehicles, vehicleField } from '#domain/ordering/quotes/quotes.ts'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { RequirementTable } from '#app/ui/requirement-table.tsx'
import type { QuoteView } from '#app/views/office/quote.server.ts'
import { QuoteCustomer, QuoteTires } from './quote-parts.tsx'
import { placeLabels, PlacePanel } from './quote-place.tsx'

const labels = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  account: 'Account',
  label: 'Prices',
  vehicle: 'Vehicle',
  zip: 'ZIP',
  ...placeLabels,
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
      <ErrorSummary reply={reply} labels={{ ...labels, ...vehicleLabels(quote) }} />
      <CustomerPanel quote={quote} reply={reply} />
      <LabelPanel quote={quote} reply={reply} />
      {quote.vehicles.map((vehicle) => (
        <VehiclePanel key={vehicle.position} quote={quote} vehicle={vehicle} reply={reply} />
      ))}
      <AddPanel quote={quote} reply={reply} />
      <PlacePanel quote={quote} reply={reply} />
      <ServicesPanel quote={quote} reply={reply} />
      <UntilPanel quote={quote} reply={reply} />
    </form>
  )
}

type Part = { quote: QuoteView; reply: FormReply | undefined }

const customerFields = ['name', 'email', 'phone', 'account', 'address1', 'address2', 'city', 'state'] as const

/** Shows the customer. The fields are in a fold, which is open after an error in one of them. */
function CustomerPanel({ quote, reply }: Part) {
  const isOpen = customerFields.some((name) => reply?.errors[name] !== undefined)
  return (
    <Panel id="customer" title="Customer">
      <PanelBody isPair>
        <QuoteCustomer quote={quote} />
      </PanelBody>
      <details className="office-fold quote-change" open={isOpen}>
        <summary>
          Change customer <Icon name="down" size="s" />
        </summary>
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
              address1: {
                label: 'Address',
                value: quote.address?.address1,
                max: 100,
                isOptional: true,
                hint: 'For orders by phone. With the address, the link opens the payment page, or the times of the shop. The ZIP is below.',
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
      </details>
    </Panel>
  )
}

/** Names the fields of vehicles after the first in the summary of errors. */
function vehicleLabels({ vehicles }: QuoteView): Record<string, string> {
  return Object.fromEntries(
    vehicles.slice(1).map(({ position }) => [vehicleField(position), `Vehicle ${position}`] as const),
  )
}

function LabelPanel({ quote, reply }: Part) {
  return (
    <Panel id="prices" title="Prices">
      <PanelBody>
        <LabelChoice quote={quote} reply={reply} />
      </PanelBody>
    </Panel>
  )
}

/** A vehicle with its tires and its price. Each vehicle is ordered separately. */
function VehiclePanel({ quote, vehicle, reply }: Part & { vehicle: QuoteView['vehicles'][number] }) {
  const { position, name, title, requirement } = vehicle
  const isOne = quote.vehicles.length === 1
  return (
    <Panel
      id={['tires', ...(position === 1 ? [] : [position])].join('-')}
      title={isOne ? 'Vehicle and tires' : `Vehicle ${position}`}
      note={isOne || name === null ? null : name}
      end={
        isOne ? null : (
          <button className="btn quiet stop" name="intent" value={`drop-${position}`}>
            Remove<span className="visually-hidden"> {title}</span>
          </button>
        )
      }
    >
      <PanelBody isPair>
        <FormInputs
          reply={reply}
          fields={{
            [vehicleField(position)]: {
              label: isOne ? 'Vehicle' : `Vehicle ${position}`,
              value: name,
              max: 120,
              isOptional: true,
              hint: 'Year, make and model, such as 2019 Honda CR-V EX.',
            },
          }}
        />
        <RequirementTable caption={isOne ? 'What the vehicle requires' : `What ${title} requires`} rows={requirement} />
      </PanelBody>
      <QuoteTires quote={quote} vehicle={vehicle} reply={reply} />
      {vehicle.rows.length > 0 ? (
        <PanelBody>
          <OrderSummary rows={vehicle.rows} caption={`What the customer pays for ${title}`} />
        </PanelBody>
      ) : null}
    </Panel>
  )
}

/** Finds tires for a vehicle, and adds another vehicle. */
function AddPanel({ quote, reply }: Part) {
  return (
    <Panel id="add" title="Add tires or a vehicle">
      <FindTires quote={quote} reply={reply} />
      {quote.tires > 0 ? (
        <PanelBody>
          <p className="small">Staff only, not in the email: {quote.staffOnly}</p>
        </PanelBody>
      ) : null}
      {quote.vehicles.length < mostQuoteVehicles ? (
        <PanelBody>
          <button className="btn quiet" name="intent" value="another">
            Add vehicle
          </button>
          <p className="field-hint">
            The customer orders each vehicle separately, with an appointment. The last day and the delivery are the same
            for all.
          </p>
        </PanelBody>
      ) : null}
    </Panel>
  )
}

function LabelChoice({ quote, reply }: Part) {
  const chosen = reply?.values['label'] ?? quote.label
  return (
    <>
      <fieldset className="office-segments">
        <legend>Prices of the whole quote</legend>
        {quote.labels.map(({ value, name, total }) => (
          <label key={value}>
            <input type="radio" name="label" value={value} defaultChecked={value === chosen} />
            <span>{total === null ? name : `${name}, ${total}`}</span>
          </label>
        ))}
      </fieldset>
      <p className="field-hint">
        Special pricing uses the unit prices below. Deals and codes don’t apply to quotes. Totals include taxes and
        fees.
      </p>
    </>
  )
}

function ServicesPanel({ quote, reply }: Part) {
  return (
    <Panel id="services" title="Services">
      <PanelBody>
        <ul className="office-list quote-services">
          {quote.vehicles.flatMap(({ position, title, services }) =>
            services.map(({ key, label, detail, amount }) => (
              <li key={`${position} ${key}`}>
                <span>
                  <Icon name="check" size="s" /> {label}
                  {detail ? <small>{detail}</small> : null}
                  {quote.vehicles.length > 1 ? <small>{title}</small> : null}
                </span>
                <b>{amount}</b>
              </li>
            )),
          )}
          {quote.vehicles
            .flatMap(({ lines }) => lines)
            .map(({ key, name, coverage }) => (
              <li key={key}>
                <label className="check">
                  <input
                    type="checkbox"
                    name={`coverage-${key}`}
                    value="1"
                    defaultChecked={reply ? reply.values[`coverage-${key}`] === '1' : coverage}
                  />
                  <span>
                    Replacement coverage<small>{name}</small>
                  </span>
                </label>
              </li>
            ))}
          <li className="quote-roadside">
            <FormInputs
              reply={reply}
              fields={{ roadside: { label: quote.roadsideLabel, kind: 'tick', isTicked: quote.roadside } }}
            />
          </li>
        </ul>
      </PanelBody>
    </Panel>
  )
}

/** The last day, as a number of days from today or as a date, and the message in the email. */
function UntilPanel({ quote, reply }: Part) {
  const chosen = quote.goodFor.find(({ day }) => day === quote.goodThrough)?.count
  const saved = reply ? (reply.values['goodFor'] ?? '') : String(chosen ?? '')
  return (
    <Panel id="until" title="Good until">
      <PanelBody isPair>
        <div className="quote-until">
          <input type="hidden" name="shownDay" value={reply?.values['goodThrough'] ?? quote.goodThrough} />
          <fieldset className="office-segments">
            <legend>Good for</legend>
            {quote.goodFor.map(({ count }) => (
              <label key={count}>
                <input type="radio" name="goodFor" value={count} defaultChecked={saved === String(count)} />
                <span>{countOf(count, 'day')}</span>
              </label>
            ))}
            <label>
              <input type="radio" name="goodFor" value="" defaultChecked={saved === ''} />
              <span>Other day</span>
            </label>
          </fieldset>
          <p className="field-hint">{quote.goodThroughText}, midnight Eastern Time.</p>
          <div className="quote-day">
            <FormInputs
              reply={reply}
              fields={{
                goodThrough: { label: 'Last day', kind: 'day', value: quote.goodThrough, min: quote.today },
              }}
            />
          </div>
        </div>
        <FormInputs
          reply={reply}
          fields={{
            note: {
              label: `Message to ${quote.firstName}`,
              kind: 'area',
              value: quote.note,
              rows: 3,
              max: 1_000,
              isOptional: true,
            },
          }}
        />
      </PanelBody>
    </Panel>
  )
}

function FindTires({ quote, reply }: Part) {
  return (
    <div id="find">
      <PanelBody>
        <FormInputs
          reply={reply}
          fields={{
            q: {
              label: 'Find tires',
              value: quote.search?.text ?? null,
              max: 120,
              isOptional: true,
              hint: 'A size, model, SKU or vehicle. Leave empty for the sizes of the vehicle above.',
            },
            ...(quote.vehicles.length > 1 && {
              qVehicle: {
                label: 'For vehicle',
                kind: 'choice',
                value: String(quote.search?.position ?? quote.vehicles.length),
                options: quote.vehicles.map(({ position, title }): [string, string] => [String(position), title]),
              },
            }),
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
            {quote.found.map(({ key, name, price, stock, fit, isIn }) => (
              <li key={key}>
                <span>
                  <b>{name}</b>
                  <br />
                  <span className="small muted">{[price, `${stock} in stock`, fit].filter(Boolean).join(' · ')}</span>
                </span>
                {isIn ? (
                  <span className="muted">In the quote</span>
                ) : (
                  <button className="btn quiet" name="intent" value={`add-${key}`}>
                    Add<span className="visually-hidden"> {name}</span>
                  </button>
                )}
              </li>
            ))}
          </ul>
        ) : null}
      </PanelBody>
    </div>
  )
}
