import { modelPictureActions } from '#app/office/actions/catalog-pictures.server.ts'
import { modelActions, modelDescriptionActions } from '#app/office/actions/models.server.ts'
import { actionStep, decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { mostPictures } from '#domain/catalog/catalog/catalog.ts'
import { findOfficeLine, listCategories } from '#domain/catalog/catalog/catalog.server.ts'
import { findLineCells } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { lineFields } from './brand-fields.tsx'
import { DescriptionPanel, RetirePanel } from './catalog-fields.tsx'
import { catalogId } from './catalog-id.ts'
import { photoSteps, photoView } from './catalog-photos.server.ts'
import { AddPhotoPanel, PhotosPanel } from './catalog-photos.tsx'
import type { Route } from './+types/catalog-line.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? loaderData.title : 'Line', officePaths.officeBrands())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = catalogId(params.id)
  const { app, session } = await requireStaff(context, 'catalog.read', officePaths.officeLine(id))
  const line = found(await findOfficeLine(app, id))
  const form = found(await findLineCells(app, id))
  return {
    title: `${line.brand} ${line.name}`,
    brand: { name: line.brand, path: officePaths.officeBrand(line.brandId) },
    about: line.ownAbout ?? '',
    feedAbout: line.feedAbout,
    mark: line.mark,
    form,
    categories: await listCategories(app, form.cells.category),
    isRetired: line.isRetired,
    newTirePath: officePaths.officeNewTire(id),
    facts: [
      ['Category', line.category],
      ['Photos', `${line.pictures.length} of ${mostPictures}`],
    ] satisfies [string, string][],
    pictures: line.pictures.map(photoView),
    tiresPath: officePaths.officeCatalog({ line: id }),
    shopPath: paths.line(line.brandSlug, line.slug),
    mayEdit: staffCan(session.roles, 'catalog.edit'),
    news: doneNews(url, lineNews),
  }
}

const lineNews = {
  added: 'Model added. Add its tires next.',
  saved: 'Saved. Customers see it within a second.',
  retired: 'Retired. Its tires are no longer for sale.',
  restored: 'Restored. Its tires are for sale again, except individually hidden tires.',
}

/** `change`, `retire` and `restore`, `describe`, `picture` with a file, or another action on a picture with its number. */
export const action = (args: Route.ActionArgs) => {
  const lineId = catalogId(args.params.id)
  const id = String(lineId)
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeLine(lineId, done),
      file: 'file',
      done: { change: 'saved', retire: 'retired', restore: 'restored' },
      more: {
        steps: (posted) => ({
          describe: actionStep(modelDescriptionActions.actions.change, { ...posted, id }, 'saved'),
          ...photoSteps(modelPictureActions, { ...posted, id }),
        }),
        refusals: modelPictureActions.refusals,
      },
    },
    modelActions,
  )
}

export default function LinePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, brand, feedAbout, facts, mayEdit, news, tiresPath, shopPath } = loaderData
  return (
    <DetailPage
      title={title}
      crumbs={[
        { label: 'Brands and models', path: officePaths.officeBrands() },
        { label: brand.name, path: brand.path },
      ]}
      tags={loaderData.isRetired ? <Tag>Retired</Tag> : undefined}
      end={
        <>
          {mayEdit ? (
            <a className="btn" href={loaderData.newTirePath}>
              Add a tire
            </a>
          ) : null}
          <a className="btn quiet" href={tiresPath}>
            Tires
          </a>
          <a className="btn quiet" href={shopPath}>
            View in store
          </a>
        </>
      }
      news={news}
      reply={reply}
      body={
        <>
          <DescriptionPanel
            {...loaderData}
            note="Replaces the feed’s description; leave empty to use the feed’s"
            reply={reply}
          />
          <PhotosPanel
            note="On the product pages of its tires, before the drawing"
            empty="No photos. Only the drawing is shown."
            pictures={loaderData.pictures}
            mayEdit={mayEdit}
            reply={reply}
          />
        </>
      }
      side={
        <>
          {mayEdit ? (
            <FormPanel
              id="model"
              title="Model"
              reply={reply}
              hidden={{ version: loaderData.form.mark }}
              fields={lineFields(loaderData.categories, loaderData.form.cells)}
              buttons={[button('change', 'Save', 'primary')]}
              note="An import that lists this model replaces these values."
            />
          ) : null}
          {mayEdit ? <AddPhotoPanel reply={reply} /> : null}
          <FactsPanel id="facts" title="From the feed" rows={facts}>
            <p>{feedAbout || 'The feed has no description.'}</p>
          </FactsPanel>
          {mayEdit ? <RetirePanel noun="model" isRetired={loaderData.isRetired} reply={reply} /> : null}
        </>
      }
    />
  )
}
