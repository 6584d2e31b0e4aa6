import { brandActions, brandDescriptionActions } from '#app/office/actions/brands.server.ts'
import { brandLogoActions } from '#app/office/actions/catalog-pictures.server.ts'
import { actionStep, decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'

import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { findOfficeBrand } from '#domain/catalog/catalog/catalog.server.ts'
import { findBrandCells } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { brandFields } from './brand-fields.tsx'
import { DescriptionPanel, pictureField, RetirePanel } from './catalog-fields.tsx'
import { catalogId } from './catalog-id.ts'
import type { Route } from './+types/catalog-brand.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? loaderData.name : 'Brand', officePaths.officeBrands())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = catalogId(params.id)
  const { app, session } = await requireStaff(context, 'catalog.read', officePaths.officeBrand(id))
  const after = url.searchParams.get('after')?.replaceAll('\0', '').slice(0, 80) || null
  const { name, slug, about, mark, logoKey, isRetired, lines, next } = found(await findOfficeBrand(app, id, after))
  const form = found(await findBrandCells(app, id))
  return {
    id,
    name,
    slug,
    about,
    mark,
    form,
    isRetired,
    lines,
    logo: logoKey && paths.uploadedPicture(logoKey),
    isFirst: after === null,
    older: next ? officePaths.officeBrand(id, { after: next }) : null,
    mayEdit: staffCan(session.roles, 'catalog.edit'),
    news: doneNews(url, brandNews),
  }
}

const brandNews = {
  added: 'Brand added. Add its models next.',
  saved: 'Saved. Customers see it within a second.',
  retired: 'Retired. Its tires are no longer for sale.',
  restored: 'Restored. Its tires are for sale again, except individually hidden tires.',
}

/** `change`, `retire` and `restore`, `describe`, `logo` with a file, or `no-logo`. */
export const action = (args: Route.ActionArgs) => {
  const brandId = catalogId(args.params.id)
  const id = String(brandId)
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeBrand(brandId, { done }),
      file: 'file',
      done: { change: 'saved', retire: 'retired', restore: 'restored' },
      more: {
        steps: (posted) => ({
          describe: actionStep(brandDescriptionActions.actions.change, { ...posted, id }, 'saved'),
          logo: actionStep(brandLogoActions.actions.change, { ...posted, id }, 'saved'),
          'no-logo': actionStep(brandLogoActions.actions.remove, { ...posted, id }, 'saved'),
        }),
        refusals: brandLogoActions.refusals,
      },
    },
    brandActions,
  )
}

export default function BrandPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { id, name, slug, lines, isFirst, older, mayEdit } = loaderData
  return (
    <DetailPage
      title={name}
      crumbs={[{ label: 'Brands and models', path: officePaths.officeBrands() }]}
      tags={loaderData.isRetired ? <Tag>Retired</Tag> : undefined}
      end={
        <>
          <a className="btn quiet" href={paths.brand(slug)}>
            View in store
          </a>
          {mayEdit ? (
            <a className="btn" href={officePaths.officeNewLine(id)}>
              Add a model
            </a>
          ) : null}
        </>
      }
      news={loaderData.news}
      reply={reply}
      body={
        <>
          <DescriptionPanel {...loaderData} note="Feeds only write the description of a new brand" reply={reply} />
          <TablePanel
            id="lines"
            title="Models"
            columns={{
              name: 'Model',
              category: 'Category',
              about: 'Description',
              status: 'Status',
              pictures: 'Photos',
            }}
            amounts={['pictures']}
            rows={lines.map((line) => ({
              id: String(line.id),
              cells: {
                name: <a href={officePaths.officeLine(line.id)}>{line.name}</a>,
                category: line.category,
                about: line.isOwn ? 'Custom' : 'From the feed',
                status: line.isRetired ? 'Retired' : 'Active',
                pictures: String(line.pictures),
              },
            }))}
          />
          <ListFoot
            label="Models pagination"
            newer={isFirst ? null : officePaths.officeBrand(id)}
            older={older}
            file={null}
          />
        </>
      }
      side={mayEdit ? <BrandForms {...loaderData} reply={reply} /> : undefined}
    />
  )
}

/** Renders the forms for the brand's name and tier, its logo, and its retirement. */
function BrandForms({
  name,
  form,
  logo,
  isRetired,
  reply,
}: Pick<Route.ComponentProps['loaderData'], 'name' | 'form' | 'logo' | 'isRetired'> & {
  reply: Route.ComponentProps['actionData']
}) {
  return (
    <>
      <FormPanel
        id="brand-details"
        title="Brand"
        reply={reply}
        hidden={{ version: form.mark }}
        fields={brandFields(form.cells)}
        buttons={[button('change', 'Save', 'primary')]}
      />
      <FormPanel
        id="logo"
        title="Logo"
        lead={logo ? undefined : 'Without a logo, the name is shown'}
        reply={reply}
        fields={{
          current: logo ? <img src={logo} alt={`Logo of ${name}`} height={32} className="catalog-logo" /> : null,
          file: pictureField('New logo'),
        }}
        buttons={[button('logo', 'Save logo', 'primary'), ...(logo ? [button('no-logo', 'Remove', 'stop')] : [])]}
      />
      <RetirePanel noun="brand" isRetired={isRetired} reply={reply} />
    </>
  )
}
