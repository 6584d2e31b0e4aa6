/** Parts of a quote's page for drafts and sent quotes. */
import type { FormReply } from '#app/forms/form.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { Field, SelectField } from '#app/ui/field.tsx'
import { MailFrame } from '#app/ui/office/mail-parts.tsx'
import { KeyValues, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import { maxQuantityPerLine } from '#domain/payments/cart/cart.ts'
import { phoneText } from '#platform/phone-text.ts'
import type { QuoteView } from '#app/views/office/quote.server.ts'

/** The customer in two columns, with the contact and the facts that the role may see. */
export function QuoteCustomer({ quote: { name, email, phone, account, addressText, customer } }: { quote: QuoteView }) {
  return (
    <>
      <KeyValues
        rows={[
          ['Name', <b key="name">{name}</b>],
          [
            'Email',
            <a key="email" href={`mailto:${email}`}>
              {email}
            </a>,
          ],
          ['Phone', phone ? phoneText(phone) : 'None'],
          ['Address', addressText ?? 'Entered by the customer'],
        ]}
      />
      <KeyValues
        rows={[
          ['Account', account ?? 'None'],
          ...customer.map(
            ({ label, value, path }) =>
              [
                label,
                path === undefined ? (
                  value
                ) : (
                  <a key={label} href={path}>
                    {value}
                  </a>
                ),
              ] as const,
          ),
        ]}
      />
    </>
  )
}

type Vehicle = QuoteView['vehicles'][number]
type Line = Vehicle['lines'][number]
type Tires = { quote: QuoteView; vehicle: Vehicle; reply?: FormReply | undefined; isFixed?: boolean }

/** A vehicle's tires with today's prices next to the quoted ones. Drafts have fields. */
export function QuoteTires({ quote, vehicle, reply, isFixed = false }: Tires) {
  if (vehicle.lines.length === 0) return null
  const { ownName } = quote
  return (
    <div className="quote-tires">
      <DataTable
        caption={quote.vehicles.length > 1 ? `Tires for ${vehicle.title}` : 'Tires in the quote'}
        columns={[
          { key: 'tire', label: 'Tires' },
          { key: 'retail', label: 'Retail', isAmount: true },
          ...(ownName === null ? [] : [{ key: 'own', label: ownName, isAmount: true }]),
          { key: 'price', label: 'Quoted, each', isAmount: true },
          { key: 'margin', label: 'Margin', isAmount: true },
          { key: 'sum', label: 'Total', isAmount: true },
        ]}
        rows={vehicle.lines.map((line) => ({
          id: line.key,
          cells: {
            tire: <Tire line={line} reply={reply} isFixed={isFixed} />,
            retail: line.retail,
            own: line.own,
            price: isFixed ? (
              line.priceText
            ) : (
              <PriceInput line={line} reply={reply} isTyped={quote.label === 'Special Order'} />
            ),
            margin: line.isLow ? (
              <span className="field-error">{line.margin}, below the minimum</span>
            ) : (
              <span className="tone-go">{line.margin}</span>
            ),
            sum: (
              <>
                <b>{line.sum}</b>
                <small>for {line.quantity}</small>
              </>
            ),
          },
        }))}
      />
    </div>
  )
}

function Tire({ line, reply, isFixed }: { line: Line; reply: FormReply | undefined; isFixed: boolean }) {
  const { key, name, facts, fit, quantity, axle, picture } = line
  return (
    <>
      <span className="office-item">
        {picture ? <TirePicture picture={picture} alt="" size={64} /> : null}
        <span>
          <b>{name}</b>
          {fit ? <small className={fit.isSure ? 'tone-go' : undefined}>{fit.text}</small> : null}
          <small>{facts}</small>
        </span>
      </span>
      {isFixed ? null : (
        <div className="quote-fields">
          <Field
            name={`quantity-${key}`}
            label="Quantity"
            aria-label={`Quantity, ${name}`}
            reply={reply}
            value={String(quantity)}
            type="number"
            min={1}
            max={maxQuantityPerLine}
            inputMode="numeric"
          />
          <SelectField name={`axle-${key}`} label="Position" reply={reply} value={axle}>
            <option value="all">All wheels</option>
            <option value="front">Front</option>
            <option value="rear">Rear</option>
          </SelectField>
          <button className="btn quiet" name="intent" value={`remove-${key}`}>
            Remove<span className="visually-hidden"> {name}</span>
          </button>
        </div>
      )}
    </>
  )
}

function PriceInput({ line, reply, isTyped }: { line: Line; reply: FormReply | undefined; isTyped: boolean }) {
  const id = `price-${line.key}`
  const error = reply?.errors[id]
  return (
    <>
      <input
        className="input"
        id={id}
        name={id}
        defaultValue={reply?.values[id] ?? line.price}
        inputMode="decimal"
        maxLength={12}
        autoComplete="off"
        readOnly={!isTyped}
        aria-label={`Unit price, ${line.name}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      />
      {error ? (
        <span className="field-error" id={`${id}-error`}>
          {error}
        </span>
      ) : null}
    </>
  )
}

/** The longest text message that is sent as one. */
const oneText = 160

/** The email and the text message as the customer gets them. */
export function QuotePreview({ quote: { firstName, preview, sending } }: { quote: QuoteView }) {
  if (!preview) return null
  const { from, to, origin, mail, text } = preview
  return (
    <Panel id="preview" title={`What ${firstName} gets`}>
      {mail ? (
        <PanelBody>
          <h3>Email</h3>
          <KeyValues
            rows={[
              ['From', from],
              ['To', to],
              ['Subject', <b key="subject">{mail.subject}</b>],
            ]}
          />
          <MailFrame origin={origin} html={mail.html} title="Email with the quote" />
        </PanelBody>
      ) : null}
      <PanelBody>
        <h3>
          Text, {text.length} of {oneText}
        </h3>
        <p className="quote-text">{text}</p>
        {sending.isTexted ? null : <p className="small muted">Not sent without the customer’s consent to texts.</p>}
      </PanelBody>
    </Panel>
  )
}
