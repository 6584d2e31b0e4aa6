/** The form of one tire, for a new one and for one that is there. */
import type { FormReply } from '#app/forms/form.ts'
import type { FormField } from '#app/office/form-fields.tsx'
import { button, FormPanel, type FormFields } from '#app/office/form.tsx'
import { yesNoLabels } from '#app/views/catalog-labels.ts'
import { AcceptBelow } from '#app/routes/office/pricing/accept-below.tsx'

type Values = Readonly<Record<string, string>>

/**
 * `cells` are the saved values; empty for a new tire. `mayMap` is true if the user can set a minimum advertised price.
 */
export function TireForm({
  cells = {},
  mark = '',
  mayMap,
  isNew = false,
  reply,
}: {
  cells?: Values
  mark?: string
  mayMap: boolean
  isNew?: boolean
  reply: FormReply | undefined
}) {
  const warning = reply?.errors['acceptsBelow']
  return (
    <FormPanel
      id="tire"
      title="Tire"
      isPair
      reply={reply}
      hidden={{ version: mark, ...(!mayMap && { map: cells['map'] ?? '' }) }}
      fields={{
        ...tireFields(cells, mayMap),
        ...(isNew && {
          status: {
            label: 'After saving',
            kind: 'choice',
            options: Object.entries({ 'on-sale': 'List for sale', hidden: 'Keep hidden' }),
            value: 'on-sale',
          } as const,
        }),
        acceptsBelow:
          warning === undefined ? null : (
            <div className="field-wide">
              <AcceptBelow label="Save anyway" isBelow error={warning} />
            </div>
          ),
      }}
      buttons={[isNew ? button('add', 'Add tire', 'primary') : button('change', 'Save', 'primary')]}
      note={isNew ? 'Import or adjust its stock to sell it.' : 'An import that lists this tire replaces these values.'}
    />
  )
}

function tireFields(cells: Values, mayMap: boolean): FormFields {
  const field = (name: string, label: string, more: Partial<FormField> = {}): FormField =>
    ({ label, value: cells[name], max: 40, ...more }) as FormField
  const whole = (name: string, label: string, more: Partial<FormField> = {}) =>
    field(name, label, { kind: 'number', ...more })
  const choice = (name: string, label: string, options: Values): FormField => ({
    label,
    kind: 'choice',
    options: Object.entries(options),
    value: cells[name] ?? Object.keys(options)[0],
  })
  const optional = { isOptional: true } as const
  return {
    sku: field('sku', 'SKU'),
    size: field('size', 'Size', { hint: 'Without load index and speed, such as 225/65R17 or LT275/70R18.' }),
    load: <h3>Load and speed</h3>,
    load_index: whole('load_index', 'Load index', optional),
    speed: field('speed', 'Speed rating', { ...optional, max: 3, hint: 'Such as H, V or (Y).' }),
    load_class: choice('load_class', 'Load class, for passenger sizes', {
      '': 'None',
      SL: 'SL, standard load',
      XL: 'XL, extra load',
      HL: 'HL, high load',
    }),
    load_range: field('load_range', 'Load range, for all other sizes', { ...optional, max: 1 }),
    ply_rating: whole('ply_rating', 'Ply rating', { ...optional, hint: 'Calculated from the load range if empty.' }),
    dual_load_index: whole('dual_load_index', 'Load index, dual', optional),
    max_load_lb: whole('max_load_lb', 'Max load, lb', {
      ...optional,
      hint: 'Calculated from the load index if empty.',
    }),
    max_psi: whole('max_psi', 'Max pressure, psi'),
    dimensions: <h3>Dimensions</h3>,
    rim_width_min_in: field('rim_width_min_in', 'Narrowest rim, in'),
    rim_width_max_in: field('rim_width_max_in', 'Widest rim, in'),
    measured_width_mm: field('measured_width_mm', 'Width, mm', { ...optional, hint: 'The size’s width if empty.' }),
    measured_diameter_mm: field('measured_diameter_mm', 'Diameter, mm', {
      ...optional,
      hint: 'The size’s diameter if empty.',
    }),
    tread_depth_32nds: field('tread_depth_32nds', 'Tread depth, 32nds in'),
    weight_lb: field('weight_lb', 'Weight, lb'),
    grades: <h3>Grades and warranty</h3>,
    utqg_treadwear: whole('utqg_treadwear', 'UTQG treadwear', optional),
    utqg_traction: choice('utqg_traction', 'UTQG traction', { '': 'None', AA: 'AA', A: 'A', B: 'B', C: 'C' }),
    utqg_temperature: choice('utqg_temperature', 'UTQG temperature', { '': 'None', A: 'A', B: 'B', C: 'C' }),
    warranty_miles: whole('warranty_miles', 'Tread warranty, in miles', {
      ...optional,
      hint: 'Only if this size differs from the model.',
    }),
    variant: <h3>Variant</h3>,
    sidewall: choice('sidewall', 'Sidewall', {
      BSW: 'Black letters',
      OWL: 'Outlined white letters',
      VSB: 'Vertical serrated band',
    }),
    run_flat: choice('run_flat', 'Run-flat', yesNoLabels),
    oe_mark: field('oe_mark', 'Carmaker mark', { ...optional, max: 20, hint: 'Such as MO or N0.' }),
    oldest_dot: field('oldest_dot', 'Oldest DOT week', {
      ...optional,
      max: 4,
      hint: 'Such as 2326 for week 23 of 2026.',
    }),
    prices: <h3>Prices, in dollars for one tire</h3>,
    price: field('price', 'Price', { kind: 'money' }),
    cost: field('cost', 'Cost', { kind: 'money', ...optional }),
    ...(mayMap && {
      map: field('map', 'Minimum advertised price (MAP)', { kind: 'money', ...optional }),
    }),
    fet: field('fet', 'Federal excise tax', { kind: 'money', ...optional, hint: 'Computed if empty.' }),
    numbers: <h3>Identifiers</h3>,
    gtin: field('gtin', 'GTIN', { ...optional, max: 14, hint: 'The digits below the bar code: UPC or EAN.' }),
    mpn: field('mpn', 'Manufacturer part number', { ...optional, max: 70 }),
    origin_country: field('origin_country', 'Country of origin', {
      ...optional,
      max: 2,
      hint: 'Two letters, such as US.',
    }),
  }
}
