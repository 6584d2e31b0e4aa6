import { checkForm, formRefusal, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { descriptionForm, longestPictureText, mostLinePictures, pictureForm } from '#domain/catalog/catalog.ts'
import { addLinePicture, describeLine, findOfficeLine, removeLinePicture } from '#domain/catalog/catalog.server.ts'
import type { Actor } from '#domain/staff/staff.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Shop } from '#shop'
import { DescriptionPanel, PictureField } from './catalog-fields.tsx'
import { pictureOf, readCatalogForm, refuseEdit } from './catalog-forms.server.ts'
import { catalogId } from './catalog-id.ts'
import type { Route } from './+types/catalog-line.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? loaderData.title : 'Line', officePaths.officeBrands())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = catalogId(params.id)
  const { shop, session } = await requireStaff(context, 'catalog.read', officePaths.officeLine(id))
  const line = await findOfficeLine(shop, id)
  if (!line) throw new Response(null, { status: 404 })
  return {
    title: `${line.brand} ${line.name}`,
    brand: { name: line.brand, path: officePaths.officeBrand(line.brandId) },
    about: line.ownAbout ?? '',
    feedAbout: line.feedAbout,
    mark: line.mark,
    facts: [
      ['Category', line.category],
      ['Photos', `${line.pictures.length} of ${mostLinePictures}`],
    ] satisfies [string, string][],
    pictures: line.pictures.map(({ id: no, key, description }) => ({
      no,
      path: paths.uploadedPicture(key),
      description,
    })),
    tiresPath: officePaths.officeCatalog({ line: id }),
    shopPath: paths.line(line.brandSlug, line.slug),
    mayEdit: staffCan(session.roles, 'catalog.edit'),
    isSaved: url.searchParams.get('done') === 'saved',
  }
}

type Posted = { lineId: number; fields: URLSearchParams; file: File | null; signal: AbortSignal }

/** `describe`, `picture` with a file, or `no-picture` with its number. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const lineId = catalogId(params.id)
  const { shop, actor } = await requireStaff(context, 'catalog.edit', officePaths.officeLine(lineId))
  const posted = { lineId, ...(await readCatalogForm(request)), signal: request.signal }
  const { fields } = posted
  switch (fields.get('intent')) {
    case 'describe': {
      const checked = checkForm(descriptionForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      return answer(shop, posted, await describeLine(shop, actor, { lineId, ...checked.value }))
    }
    case 'picture':
      return addPicture(shop, actor, posted)
    case 'no-picture': {
      const pictureId = Number(/^\d{1,15}$/.exec(fields.get('picture') ?? '')?.[0] ?? 0)
      return answer(shop, posted, await removeLinePicture(shop, actor, { lineId, pictureId }))
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

async function addPicture(shop: Shop, actor: Actor, posted: Posted) {
  const { fields, lineId } = posted
  const checked = checkForm(pictureForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const read = await pictureOf(shop, actor, posted)
  if ('refusal' in read) return read.refusal
  const added = await addLinePicture(shop, actor, { lineId, ...read, ...checked.value })
  return !added.ok && added.reason === 'too-many'
    ? refuseForm(formRefusal(fields, 'This line has its photos. Remove one first.'), 409)
    : answer(shop, posted, added)
}

type Done = { ok: true } | { ok: false; reason: Parameters<typeof refuseEdit>[1] | 'too-many' }

async function answer(shop: Shop, { fields, lineId }: Posted, done: Done) {
  if (!done.ok) return refuseEdit(fields, done.reason === 'too-many' ? 'changed-meanwhile' : done.reason)
  await shop.catalogWatch.read()
  return seeOther(officePaths.officeLine(lineId, 'saved'))
}

export default function LinePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, brand, feedAbout, facts, mayEdit, isSaved, tiresPath, shopPath } = loaderData
  return (
    <OfficePage
      title={title}
      crumbs={[
        { label: 'Brands and lines', path: officePaths.officeBrands() },
        { label: brand.name, path: brand.path },
      ]}
      end={
        <>
          <a className="btn quiet" href={tiresPath}>
            Its tires
          </a>
          <a className="btn quiet" href={shopPath}>
            See it in the store
          </a>
        </>
      }
    >
      {isSaved && !reply ? <Notice tone="go" title="Saved. Shoppers see it within seconds." isNews /> : null}
      <Columns
        body={
          <>
            <DescriptionPanel {...loaderData} note="In place of the feed’s; empty returns to it" reply={reply} />
            <Photos pictures={loaderData.pictures} mayEdit={mayEdit} />
          </>
        }
        last={
          <>
            {mayEdit ? <PhotoForm reply={reply} /> : null}
            <Panel id="facts" title="From the feed">
              <PanelBody>
                <KeyValues rows={facts} />
              </PanelBody>
              <PanelBody>
                <p>{feedAbout || 'The feed has no description.'}</p>
              </PanelBody>
            </Panel>
          </>
        }
      />
    </OfficePage>
  )
}

type Photo = { no: number; path: string; description: string }

function Photos({ pictures, mayEdit }: { pictures: readonly Photo[]; mayEdit: boolean }) {
  return (
    <Panel id="photos" title="Photos" note="On the product page, beside the drawing">
      {pictures.length === 0 ? (
        <PanelBody>
          <p>None. The drawing is shown alone.</p>
        </PanelBody>
      ) : (
        <PanelBody isPair>
          {pictures.map(({ no, path, description }) => (
            <figure key={no} className="catalog-photo">
              <img src={path} alt={description} />
              <figcaption>{description}</figcaption>
              {mayEdit ? (
                <form method="post">
                  <input type="hidden" name="picture" value={no} />
                  <button className="btn quiet" name="intent" value="no-picture" aria-label={`Remove ${description}`}>
                    Remove
                  </button>
                </form>
              ) : null}
            </figure>
          ))}
        </PanelBody>
      )}
    </Panel>
  )
}

function PhotoForm({ reply }: { reply: FormReply | undefined }) {
  const own = reply && reply.values['intent'] !== 'describe' ? reply : undefined
  return (
    <Panel id="add" title="Add a photo">
      <PanelBody>
        <form method="post" encType="multipart/form-data" className="stack" noValidate>
          <ErrorSummary reply={own} labels={{ file: 'Photo', description: 'What it shows' }} />
          <PictureField label="Photo" reply={own} />
          <Field
            name="description"
            label="What it shows"
            reply={own}
            maxLength={longestPictureText}
            autoComplete="off"
            required
            hint="Read to people who do not see it, such as “Tread with siped center rib”."
          />
          <p>
            <button className="btn primary" name="intent" value="picture">
              Add
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}
