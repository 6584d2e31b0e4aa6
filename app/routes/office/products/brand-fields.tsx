import type { FormField } from '#app/office/form-fields.tsx'
import type { FieldOptions } from '#app/ui/select-options.tsx'
import { tierLabels, treadLabels, yesNoLabels } from '#app/views/catalog-labels.ts'
import type { LineField } from '#domain/catalog/catalog-import/catalog-import.ts'

/** The fields of a brand's form. */
export function brandFields(cells?: { brand: string; brand_tier: string }): Record<'brand' | 'brand_tier', FormField> {
  return {
    brand: { label: 'Name', value: cells?.brand, max: 60 },
    brand_tier: {
      label: 'Tier',
      kind: 'choice',
      options: Object.entries(tierLabels),
      value: cells?.brand_tier ?? 'mid',
    },
  }
}

/** The fields of a model's form; `categories` are slugs and names. */
export function lineFields(
  categories: FieldOptions,
  cells?: Readonly<Record<LineField, string>>,
): Record<LineField, FormField> {
  const yesNo = (label: string, value: string | undefined): FormField => ({
    label,
    kind: 'choice',
    options: Object.entries(yesNoLabels),
    value: value ?? 'no',
  })
  return {
    line: { label: 'Name', value: cells?.line, max: 60 },
    category: { label: 'Category', kind: 'choice', options: categories, value: cells?.category },
    tread: {
      label: 'Season or type',
      kind: 'choice',
      options: Object.entries(treadLabels),
      value: cells?.tread ?? 'all-season',
    },
    line_warranty_miles: {
      label: 'Tread warranty, in miles',
      kind: 'number',
      value: cells?.line_warranty_miles,
      isOptional: true,
      hint: 'Without separators, such as 65000.',
    },
    m_plus_s: yesNo('Marked M+S', cells?.m_plus_s),
    three_peak: yesNo('Three-peak mountain snowflake', cells?.three_peak),
    ev: yesNo('Made for electric cars', cells?.ev),
  }
}
