import type { FormEffect, FormReply } from '#app/forms/form.ts'
import { EffectPanel } from '#app/office/effect-panel.tsx'
import type { firstPreview } from '#app/views/office/shipping-preview.server.ts'

export type FirstPreview = typeof firstPreview & { effect: FormEffect | null }

/** Labels for error summaries. */
export const previewLabels = { zip: 'ZIP code', tires: 'Tires', light: 'Light tire', heavy: 'Heavy tire' }

/** Shows what a shopper pays for shipping with the values in a form, for a light and a heavy tire. */
export function ShippingPreview({
  formId,
  first,
  reply,
  live,
}: {
  formId: string
  first: FirstPreview
  reply: FormReply | undefined
  live: FormReply | undefined
}) {
  return (
    <EffectPanel
      title="Preview"
      note="With your unsaved changes"
      formId={formId}
      fields={{
        zip: { label: previewLabels.zip, kind: 'number', value: first.zip, max: 5 },
        tires: { label: previewLabels.tires, kind: 'number', value: String(first.tires), max: 2 },
        light: { label: previewLabels.light, value: first.light, max: 20 },
        heavy: {
          label: previewLabels.heavy,
          value: first.heavy,
          max: 20,
          hint: 'Item number, or a weight and price.',
        },
      }}
      empty="Shows what a shopper pays for shipping."
      first={first.effect}
      reply={reply}
      live={live}
    />
  )
}
