/** Model or tire photos, with the forms that add, describe, move, and remove them. */
import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel, RowForm } from '#app/office/form.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { longestPictureText } from '#domain/catalog/catalog/catalog.ts'
import { pictureField } from './catalog-fields.tsx'

export type Photo = { no: number; path: string; description: string; version: string }

/** Model or tire photos in order, with forms for staff with the permission. */
export function PhotosPanel({
  note,
  empty,
  pictures,
  mayEdit,
  reply,
}: {
  note: string
  empty: string
  pictures: readonly Photo[]
  mayEdit: boolean
  reply: FormReply | undefined
}) {
  return (
    <Panel id="photos" title="Photos" note={note}>
      {pictures.length === 0 ? (
        <PanelBody>
          <p>{empty}</p>
        </PanelBody>
      ) : (
        <PanelBody isPair>
          {pictures.map((picture, index) => (
            <figure key={picture.no} className="catalog-photo">
              <img src={picture.path} alt={picture.description} />
              {mayEdit ? (
                <PhotoForms {...picture} place={index + 1} count={pictures.length} reply={reply} />
              ) : (
                <figcaption>{picture.description}</figcaption>
              )}
            </figure>
          ))}
        </PanelBody>
      )}
    </Panel>
  )
}

/** The form that uploads a photo with its description. */
export function AddPhotoPanel({ reply }: { reply: FormReply | undefined }) {
  return (
    <FormPanel
      id="add"
      title="Add a photo"
      reply={reply}
      fields={{
        file: pictureField('Photo'),
        description: {
          label: 'Image description',
          max: longestPictureText,
          hint: 'For people who use a screen reader, such as “Tread with siped center rib”.',
        },
      }}
      buttons={[button('picture', 'Add', 'primary')]}
    />
  )
}

/** The forms of one photo. Their accessible names include its place, because photos may have the same description. */
function PhotoForms({
  no,
  description,
  version,
  place,
  count,
  reply,
}: Photo & { place: number; count: number; reply: FormReply | undefined }) {
  const moves: [string, number][] = [
    ...(place > 2 ? [['Show first', 1] satisfies [string, number]] : []),
    ...(place > 1 ? [['Move up', place - 1] satisfies [string, number]] : []),
    ...(place < count ? [['Move down', place + 1] satisfies [string, number]] : []),
  ]
  const nameOf = (label: string) => `${label}: photo ${place}`
  return (
    <>
      <RowForm
        about={{ picture: no }}
        hidden={{ version }}
        reply={reply}
        fields={{
          description: { label: nameOf('Image description'), value: description, max: longestPictureText },
        }}
        buttons={[button('describe-picture', 'Save', 'quiet', { name: nameOf('Save') })]}
      />
      {moves.length > 0 ? (
        <RowForm
          about={{ picture: no }}
          reply={undefined}
          buttons={moves.map(([label, to]) =>
            button('move-picture', label, 'quiet', { name: nameOf(label), sends: { place: String(to) } }),
          )}
        />
      ) : null}
      <RowForm
        about={{ picture: no }}
        reply={undefined}
        buttons={[button('no-picture', 'Remove', 'quiet', { name: nameOf('Remove') })]}
      />
    </>
  )
}
