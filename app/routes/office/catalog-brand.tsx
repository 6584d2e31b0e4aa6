import { checkForm, formRefusal, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { descriptionForm } from '#domain/catalog/catalog.ts'
import { describeBrand, findOfficeBrand, setBrandLogo } from '#domain/catalog/catalog.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { DescriptionPanel, PictureField } from './catalog-fields.tsx'
import { pictureOf, readCatalogForm, refuseEdit } from './catalog-forms.server.ts'
import { catalogId } from './catalog-id.ts'
import type { Route } from './+types/catalog-brand.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? loaderData.name : 'Brand', officePaths.officeBrands())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = catalogId(params.id)
  const { shop, session } = await requireStaff(context, 'catalog.read', officePaths.officeBrand(id))
  const after = url.searchParams.get('after')?.replaceAll('\0', '').slice(0, 80) || null
  const brand = await findOfficeBrand(shop, id, after)
  if (!brand) throw new Response(null, { status: 404 })
  const { name, slug, about, mark, logoKey, lines, next } = brand
  return {
    id,
    name,
    slug,
    about,
    mark,
    lines,
    logo: logoKey && paths.uploadedPicture(logoKey),
    isFirst: after === null,
    older: next ? officePaths.officeBrand(id, { after: next }) : null,
    mayEdit: staffCan(session.roles, 'catalog.edit'),
    isSaved: url.searchParams.get('done') === 'saved',
  }
}

/** `describe`, `logo` with a file, or `no-logo`. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const brandId = catalogId(params.id)
  const { shop, actor } = await requireStaff(context, 'catalog.edit', officePaths.officeBrand(brandId))
  const { fields, file } = await readCatalogForm(request)
  const intent = fields.get('intent')
  let done
  if (intent === 'describe') {
    const checked = checkForm(descriptionForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    done = await describeBrand(shop, actor, { brandId, ...checked.value })
  } else if (intent === 'no-logo') {
    done = await setBrandLogo(shop, actor, { brandId, picture: null })
  } else if (intent === 'logo') {
    const read = await pictureOf(shop, actor, { fields, file, signal: request.signal })
    if ('refusal' in read) return read.refusal
    done = await setBrandLogo(shop, actor, { brandId, ...read })
  } else {
    return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
  if (!done.ok) return refuseEdit(fields, done.reason)
  await shop.catalogWatch.read()
  return seeOther(officePaths.officeBrand(brandId, { done: 'saved' }))
}

export default function BrandPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { id, name, slug, lines, isFirst, older, mayEdit, isSaved } = loaderData
  return (
    <OfficePage
      title={name}
      crumbs={[{ label: 'Brands and lines', path: officePaths.officeBrands() }]}
      end={
        <a className="btn quiet" href={paths.brand(slug)}>
          See it in the store
        </a>
      }
    >
      {isSaved && !reply ? <Notice tone="go" title="Saved. Shoppers see it within seconds." isNews /> : null}
      <Columns
        body={
          <>
            <DescriptionPanel {...loaderData} note="Feeds only write that of a new brand" reply={reply} />
            <Panel id="lines" title="Lines">
              <DataTable
                caption={`Lines of ${name}`}
                columns={[
                  { key: 'name', label: 'Line', isRowHeader: true },
                  { key: 'category', label: 'Category' },
                  { key: 'about', label: 'Description' },
                  { key: 'pictures', label: 'Photos', isAmount: true },
                ]}
                rows={lines.map((line) => ({
                  id: String(line.id),
                  cells: {
                    name: <a href={officePaths.officeLine(line.id)}>{line.name}</a>,
                    category: line.category,
                    about: line.isOwn ? 'Our own' : 'From the feed',
                    pictures: String(line.pictures),
                  },
                }))}
              />
            </Panel>
            <ListFoot
              label="Pages of lines"
              newer={isFirst ? null : officePaths.officeBrand(id)}
              older={older}
              file={null}
            />
          </>
        }
        last={mayEdit ? <LogoPanel name={name} logo={loaderData.logo} reply={reply} /> : undefined}
      />
    </OfficePage>
  )
}

function LogoPanel({ name, logo, reply }: { name: string; logo: string | null; reply: FormReply | undefined }) {
  const own = reply && reply.values['intent'] !== 'describe' ? reply : undefined
  return (
    <Panel id="logo" title="Logo" note={logo ? undefined : 'Its name is drawn without one'}>
      <PanelBody>
        <form method="post" encType="multipart/form-data" className="stack" noValidate>
          <ErrorSummary reply={own} labels={{ file: 'Logo' }} />
          {logo ? <img src={logo} alt={`Logo of ${name}`} height={32} className="catalog-logo" /> : null}
          <PictureField label="New logo" reply={own} />
          <p className="row wrap-row">
            <button className="btn primary" name="intent" value="logo">
              Save the logo
            </button>
            {logo ? (
              <button className="btn stop" name="intent" value="no-logo">
                Remove
              </button>
            ) : null}
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}
