/** The form for promotions, coupons, and rebates, on the page of a new one, and on the page of a draft. */
import type { FormReply } from '#app/forms/form.ts'
import type { FormField } from '#app/office/form-fields.tsx'
import type { FieldOptions } from '#app/ui/select-options.tsx'
import { button, FormPanel, type FormButton } from '#app/office/form.tsx'
import { OfficePage, type OfficeCrumb } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import type { OfferOptions } from '#app/views/office/promotion.server.ts'

type Fields = Readonly<Record<string, FormField>>
type Values = Readonly<Record<string, string>>
type Offer = { what: 'promotion' | 'coupon' | 'rebate'; options: OfferOptions; reply: FormReply | undefined }

/** The page with the form of a new promotion, coupon, or rebate, or of a new version of the `original`. */
export function OfferDraftPage({
  crumb,
  original = null,
  formKey,
  ...offer
}: Offer & {
  crumb: OfficeCrumb
  /** Its name, its number, and its values as the form has them. */
  original?: { title: string; id: number; values: Values } | null
  /** Absent for a rebate, which has a unique name. */
  formKey?: string
}) {
  return (
    <OfficePage
      title={original ? `New version of ${original.title}` : `New ${offer.what}`}
      crumbs={[crumb]}
      reply={offer.reply}
    >
      {original ? <Notice tone="signal" title="The current version ends when the new one starts." /> : null}
      <OfferForm
        {...offer}
        values={original?.values ?? {}}
        hidden={formKey === undefined ? {} : { formKey, replaces: String(original?.id ?? '') }}
        button={button(formKey === undefined ? 'add' : '', 'Save draft', 'primary')}
      />
    </OfficePage>
  )
}

/** Changes a draft. */
export function OfferChangeForm({ values, version, ...offer }: Offer & { values: Values; version: number }) {
  return (
    <OfferForm
      {...offer}
      values={values}
      hidden={{ version: String(version) }}
      button={button('change', 'Save draft')}
    />
  )
}

function OfferForm({
  what,
  options,
  values,
  hidden,
  button: save,
  reply,
}: Offer & { values: Values; hidden: Values; button: FormButton }) {
  const fields = { coupon: couponFields, promotion: promotionFields, rebate: rebateFields }[what](options)
  return (
    <FormPanel
      id="draft"
      title="Draft"
      isPair
      reply={reply}
      hidden={hidden}
      fields={withValues(fields, values)}
      buttons={[save]}
    />
  )
}

/** Corrects a rebate that shoppers have bought for. */
export function RebateCorrectionForm({
  values,
  version,
  reply,
}: {
  values: Values
  version: number
  reply: FormReply | undefined
}) {
  const fields: Fields = {
    name: { label: 'Name', max: 80, hint: 'Its address in the store stays.' },
    ...lastDays,
    ...claimFields,
  }
  return (
    <FormPanel
      id="correct"
      title="Correct"
      lead="Shoppers who already bought keep the amount and at least their claim deadline."
      isPair
      reply={reply}
      hidden={{ version: String(version) }}
      fields={withValues(fields, values)}
      buttons={[button('correct', 'Save corrections')]}
    />
  )
}

function withValues(fields: Fields, values: Values): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { value: values[name], ...field }]))
}

function promotionFields(options: OfferOptions): Fields {
  return {
    name: { label: 'Name', max: 80 },
    headline: { label: 'Headline', max: 120, hint: 'Shown to customers on the deal.' },
    ...discountFields(options),
    ...subjectFields(
      'A SKU, a model such as kestrel/alltide-as2, or a brand such as kestrel. Leave empty for every tire.',
      options,
    ),
    daily: {
      label: 'Daily deal',
      kind: 'choice',
      options: Object.entries({ no: 'No', yes: 'Yes, for one day' }),
      hint: `Up to ${options.maxDailyPercent} percent off.`,
    },
    linkToCoverage: { label: 'Suggests replacement coverage', kind: 'choice', options: noYes },
    fundedBy: { label: 'Paid by', kind: 'choice', options: options.funders },
  }
}

function couponFields(options: OfferOptions): Fields {
  return {
    code: { label: 'Code', max: 20, hint: '4 to 20 letters and digits, as customers enter it.' },
    name: { label: 'Name', max: 80, hint: 'For staff.' },
    ...discountFields(options),
    ...subjectFields(
      'A SKU, a model such as kestrel/alltide-as2, or a brand. Leave empty for every tire. For a free item, enter a SKU or installation.',
      options,
    ),
    stacks: { label: 'Combines with promotions', kind: 'choice', options: noYes },
    minimum: {
      label: 'Minimum',
      kind: 'money',
      max: 14,
      isOptional: true,
      hint: 'Dollars spent on tires. Leave empty for no minimum.',
    },
    advertised: {
      label: 'Suggested to customers',
      kind: 'choice',
      options: Object.entries({ no: 'No', yes: 'Yes, when another code doesn’t work' }),
    },
    usesMost: { label: 'Total uses', kind: 'number', max: 7 },
    personMost: { label: 'Uses per customer', kind: 'number', max: 3, hint: 'Limit is per customer email.' },
    fundedBy: { label: 'Paid by', kind: 'choice', options: options.funders },
  }
}

function rebateFields(options: OfferOptions): Fields {
  return {
    name: { label: 'Name', max: 80, hint: 'Such as Kestrel $60 rebate. Its address follows from it.' },
    amount: { label: 'Amount in dollars', kind: 'money' },
    units: { label: 'For tires bought together', kind: 'number', max: 1, hint: '1 to 8.' },
    paidAs: { label: 'Paid as', kind: 'choice', options: options.kinds },
    ...subjectFields('A brand such as kestrel, or a model such as kestrel/alltide-as2.', options),
    startsOn: { label: 'First purchase day', kind: 'day', hint: 'Days are in Eastern Time.' },
    ...lastDays,
    ...claimFields,
  }
}

const lastDays: Fields = {
  lastPurchaseOn: { label: 'Last purchase day', kind: 'day' },
  lastClaimOn: { label: 'Last claim day', kind: 'day' },
}

const claimFields: Fields = {
  formUrl: {
    label: 'Claim form',
    max: 300,
    isOptional: true,
    hint: 'The manufacturer’s page, beginning with https://.',
  },
  mailTo: {
    label: 'Mailing address',
    max: 200,
    isOptional: true,
    hint: 'If there’s no claim form, shoppers print ours and mail it.',
  },
}

const noYes = Object.entries({ no: 'No', yes: 'Yes' })

function discountFields({ kinds }: OfferOptions): Fields {
  return {
    kind: { label: 'Discount', kind: 'choice', options: kinds },
    amount: {
      label: 'Amount',
      kind: 'money',
      max: 14,
      isOptional: true,
      hint: 'Dollars, percent or tires. Leave empty for buy 3, get 1.',
    },
  }
}

/** A brand, a model, or a tire, and what narrows it. */
function subjectFields(hint: string, { types, categories, seasons, vehicleClasses, suppliers }: OfferOptions): Fields {
  const choice = (label: string, options: FieldOptions): FormField => ({
    label,
    kind: 'choice',
    options: [['', 'Any'], ...options],
  })
  return {
    subject: { label: 'Applies to', max: 120, isOptional: true, hint },
    type: choice('Tire type', types),
    category: choice('Category', categories),
    size: { label: 'Size', max: 40, isOptional: true, hint: 'Such as 225/65R17.' },
    season: choice('Season', seasons),
    vehicleClass: choice('Vehicle class', vehicleClasses),
    supplier: choice('Supplier', suppliers),
  }
}
