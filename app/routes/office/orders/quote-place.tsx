import type { FormReply } from '#app/forms/form.ts'
import { FormInputs } from '#app/office/form.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { FieldOptions } from '#app/ui/select-options.tsx'
import type { QuoteView } from '#app/views/office/quote.server.ts'

type Part = { quote: QuoteView; reply: FormReply | undefined }

/** Labels for error summaries. */
export const placeLabels = { shop: 'Shop', warehouse: 'Warehouse', carrierLocation: 'Carrier location' }

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
      label: placeLabels.shop,
      fulfillment: 'shop',
      chosen: quote.shopId,
      places: quote.shops,
      empty: 'Choose a shop',
      hint: 'Save with a ZIP to see the shops near it that install these tires. The customer picks the time, or you hold one after sending.',
      noneNear: 'No shop near this ZIP installs these tires.',
    },
    {
      name: 'warehouse',
      label: placeLabels.warehouse,
      fulfillment: 'warehouse-pickup',
      chosen: quote.warehouseId,
      places: quote.warehouses,
      empty: 'Choose a warehouse',
      hint: 'Save with a ZIP to see the pickup warehouses near it.',
      noneNear: 'No warehouse near this ZIP has pickup.',
    },
    {
      name: 'carrierLocation',
      label: placeLabels.carrierLocation,
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

/** The fulfillment of a draft, with its place and the suggested time. */
export function PlacePanel({ quote, reply }: Part) {
  const chosen = reply?.values['fulfillment'] ?? quote.fulfillment
  return (
    <Panel id="place" title="Shop and time" note="or another delivery">
      <PanelBody>
        <fieldset className="office-segments quote-choices">
          <legend>Fulfillment</legend>
          {Object.entries(fulfillments).map(([value, label]) => (
            <label key={value}>
              <input type="radio" name="fulfillment" value={value} defaultChecked={value === chosen} />
              <span>{label}</span>
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
          }}
        />
        <TimeChoice quote={quote} reply={reply} />
      </PanelBody>
    </Panel>
  )
}

/** The time to suggest at the saved shop. CSS hides it for other deliveries. */
function TimeChoice({ quote: { times, suggestion, shopId, firstName, vehicles }, reply }: Part) {
  if (!times) return null
  const chosen = reply?.values['slot'] ?? suggestion
  return (
    <div className="quote-place-shop quote-times">
      <input type="hidden" name="slotShop" value={shopId ?? ''} />
      <fieldset className="office-segments">
        <legend>
          Suggested time{vehicles.length > 1 ? ` for ${vehicles[0]?.title ?? ''}` : ''}, after the tires arrive{' '}
          {times.arrives}
        </legend>
        {[...times.options, ['', `No time, ${firstName} picks`] as const].map(([value, label]) => (
          <label key={value}>
            <input type="radio" name="slot" value={value} defaultChecked={value === chosen} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <p className="field-hint">
        Suggested, not held. If another customer books it first, {firstName} picks another time.
      </p>
    </div>
  )
}
