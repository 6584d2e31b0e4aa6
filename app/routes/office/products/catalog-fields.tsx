import type { FormReply } from '#app/forms/form.ts'
import type { FormField } from '#app/office/form-fields.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { longestDescription } from '#domain/catalog/catalog/catalog.ts'
import { UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'

/** The description of a model or brand; without the permission it is only shown. */
export function DescriptionPanel({
  about,
  mark,
  note,
  mayEdit,
  reply,
}: {
  about: string
  /** The version that is edited. */
  mark: string
  note: string
  mayEdit: boolean
  reply: FormReply | undefined
}) {
  return mayEdit ? (
    <FormPanel
      id="own-description"
      title="Description"
      lead={note}
      reply={reply}
      hidden={{ version: mark }}
      fields={{
        about: {
          label: 'Shown to customers',
          kind: 'area',
          value: about,
          rows: 6,
          max: longestDescription,
          isOptional: true,
        },
      }}
      buttons={[button('describe', 'Save', 'primary')]}
    />
  ) : (
    <Panel id="own-description" title="Description" note={note}>
      <PanelBody>
        <p>{about || 'None.'}</p>
      </PanelBody>
    </Panel>
  )
}

/** The field for a picture. */
export const pictureField = (label: string): FormField => ({
  label,
  kind: 'file',
  accept: 'image/png,image/jpeg,image/webp',
  hint: `PNG, JPEG or WebP, up to ${UPLOAD_MAX_BYTES / 1024 / 1024} MB.`,
})

/** Retires a brand or model, or ends that. */
export function RetirePanel({
  noun,
  isRetired,
  reply,
}: {
  noun: 'brand' | 'model'
  isRetired: boolean
  reply: FormReply | undefined
}) {
  return (
    <FormPanel
      id="retire"
      title={isRetired ? `Restore this ${noun}` : `Retire this ${noun}`}
      reply={reply}
      text={
        isRetired
          ? `Tires from this ${noun} are not for sale, including tires that feeds add.`
          : `Unlists all its tires, including tires that feeds add later. Orders and reviews stay.`
      }
      fields={{ reason: { label: 'Reason, for the audit log', kind: 'area', rows: 2, max: 500 } }}
      buttons={[isRetired ? button('restore', 'Restore', 'primary') : button('retire', 'Retire', 'stop')]}
    />
  )
}
