/** The sections of a shop's profile, as a form or for reading. */
import type { ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { button } from '#app/office/form.tsx'
import { identityFields, offerFields } from '#app/office/profile-fields.ts'
import { SaveBar, useUnsavedChanges } from '#app/office/save-bar.tsx'
import { Section, SectionsForm, type FieldSection } from '#app/office/sections-form.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { KeyValues, Tag } from '#app/ui/office/office-parts.tsx'
import type { ProfileFieldsView } from '#app/views/shop-profile-fields.server.ts'
import type { ShopPricesView } from '#app/views/office/shop-price-rows.server.ts'
import type { ShopVanView } from '#app/views/office/shop.server.ts'

type Rows = readonly [label: string, value: string][]

/** What the sections show. `profile` is null for readers, who get `rows`. */
export type ShopSectionsView = {
  version: number
  kind: string
  state: string
  profile: ProfileFieldsView | null
  rows: Rows
  takes: Rows
  limits: Rows
  terms: {
    zone: string
    hours: Rows
    prices: ShopPricesView
    portal: { label: string; path: string }[]
    pricesPath: string | null
  }
  vans: ShopVanView[]
  addVan: string | null
}

type Written = { id: string; title: string; note: string; content: ReactNode }

/** The sections without fields. */
function writtenSections({ kind, terms, vans, addVan, takes }: ShopSectionsView) {
  return {
    hours: {
      id: 'hours',
      title: kind === 'van' ? 'Hours and area' : 'Hours and bays',
      note: `Set in the portal, or here for the shop. Times in ${terms.zone}.`,
      content: (
        <div className="stack">
          <KeyValues rows={terms.hours} />
          <Links links={terms.portal} />
        </div>
      ),
    },
    prices: {
      id: 'prices',
      title: 'Services and prices',
      note: 'The store collects the price and pays the shop.',
      content: <Prices prices={terms.prices} path={terms.pricesPath} />,
    },
    takes: {
      id: 'takes',
      title: 'What it can take',
      note: 'Shoppers with other tires don’t see this shop.',
      content: <KeyValues rows={takes} />,
    },
    vans:
      kind === 'van'
        ? null
        : {
            id: 'vans',
            title: 'Vans',
            note: 'Mobile installation. Each van has its own area and hours.',
            content: <Vans vans={vans} addVan={addVan} />,
          },
  } satisfies Record<string, Written | null>
}

/** The sections as a form with a bar of unsaved changes, or for reading. */
export function ShopSections({ shop, reply }: { shop: ShopSectionsView; reply: FormReply | undefined }) {
  return shop.profile ? <ShopForm shop={shop} profile={shop.profile} reply={reply} /> : <ShopProfile shop={shop} />
}

const formId = 'shop-form'

function ShopForm({
  shop,
  profile,
  reply: posted,
}: {
  shop: ShopSectionsView
  profile: ProfileFieldsView
  reply: FormReply | undefined
}) {
  const reply = posted?.values['intent'] === 'change' ? posted : undefined
  const unsaved = useUnsavedChanges(formId, reply !== undefined)
  return (
    <>
      <SectionsForm
        sections={formSections(shop, profile)}
        formId={formId}
        reply={reply}
        hidden={{ version: shop.version }}
        buttons={[button('change', 'Save', 'primary')]}
        hidesButtons={unsaved.isUnsaved}
      />
      <SaveBar
        formId={formId}
        intent="change"
        label="Save"
        note="Customers see the change within a second."
        unsaved={unsaved}
      />
    </>
  )
}

function formSections(shop: ShopSectionsView, profile: ProfileFieldsView): FieldSection[] {
  const { hours, prices, takes, vans } = writtenSections(shop)
  const { zip, ...identity } = identityFields(profile)
  const { about, amenities, rimMinIn, rimMaxIn, aspectMin, receivingMinutes, ...services } = offerFields(profile)
  const written = ({ content, ...section }: Written): FieldSection => ({
    ...section,
    fields: { [section.id]: content },
  })
  return [
    {
      id: 'profile',
      title: 'Profile',
      note: 'Shoppers see this. The shop can change it in its portal too.',
      fields: {
        name: identity['name'],
        phone: identity['phone'],
        street: identity['street'],
        city: identity['city'],
        zip: zip && { ...zip, hint: `${shop.state}. State and time zone follow from it.` },
        website: identity['website'],
        email: identity['email'],
        kind: {
          label: 'Kind',
          kind: 'choice',
          value: shop.kind,
          options: Object.entries({ shop: 'Tire shop', van: 'Van' }),
        },
        amenities,
        about,
      },
      spans: { street: 6, about: 6 },
    },
    written(hours),
    { ...written(prices), fields: { prices: prices.content, services: <h3>Services</h3>, ...services } },
    {
      ...written(takes),
      fields: { rimMinIn, rimMaxIn, aspectMin, receivingMinutes, takes: takes.content },
      spans: { rimMinIn: 2, rimMaxIn: 2, aspectMin: 2, receivingMinutes: 6 },
    },
    ...(vans ? [written(vans)] : []),
  ]
}

function ShopProfile({ shop }: { shop: ShopSectionsView }) {
  const { hours, prices, takes, vans } = writtenSections(shop)
  const sections: Written[] = [
    { id: 'profile', title: 'Profile', note: 'Shoppers see this.', content: <KeyValues rows={shop.rows} /> },
    { ...hours, note: `Times in ${shop.terms.zone}.` },
    prices,
    { ...takes, content: <KeyValues rows={[...shop.limits, ...shop.takes]} /> },
    ...(vans ? [vans] : []),
  ]
  return (
    <div className="office-panel office-sections">
      {sections.map(({ content, ...section }) => (
        <Section key={section.id} {...section}>
          {content}
        </Section>
      ))}
    </div>
  )
}

/** Today's prices per tire, and the shop's pay. */
function Prices({ prices: { rows, hasPaid, matrix }, path }: { prices: ShopPricesView; path: string | null }) {
  return (
    <div className="stack">
      <DataTable
        caption="Services and prices"
        columns={[
          { key: 'name', label: 'Service', isRowHeader: true },
          { key: 'price', label: 'Price', isAmount: true },
          ...(hasPaid ? [{ key: 'paid', label: 'Shop is paid', isAmount: true }] : []),
          { key: 'offered', label: 'Offered' },
        ]}
        rows={rows.map(({ id, name, note, price, paid }) => ({
          id,
          isMuted: price === null,
          cells: {
            name: (
              <>
                {name}
                <small> {note}</small>
              </>
            ),
            price,
            paid,
            offered: price === null ? 'No' : 'Yes',
          },
        }))}
      />
      {hasPaid ? (
        <p className="office-note">
          “Shop is paid” is from the pay matrix for installations, and the price for services.{' '}
          {matrix ? <a href={matrix}>Change the matrix</a> : null}
        </p>
      ) : null}
      <Links links={path ? [{ label: 'Edit prices', path }] : []} />
    </div>
  )
}

function Vans({ vans, addVan }: { vans: readonly ShopVanView[]; addVan: string | null }) {
  return (
    <div className="stack">
      {vans.length === 0 ? <p className="office-note">No vans</p> : null}
      <ul className="shop-vans" hidden={vans.length === 0}>
        {vans.map(({ name, path, state, isOpen, meta, area }) => (
          <li key={path}>
            <span>
              <a href={path}>{name}</a> <Tag tone={isOpen ? 'go' : 'plain'}>{state}</Tag>
              <small className="office-note">{meta}</small>
            </span>
            {area ? (
              <a className="btn" href={area} aria-label={`Edit area and hours, ${name}`}>
                Edit area and hours
              </a>
            ) : null}
          </li>
        ))}
      </ul>
      <Links links={addVan ? [{ label: 'Add van', path: addVan }] : []} />
    </div>
  )
}

/** Buttons that lead to other pages. */
function Links({ links }: { links: readonly { label: string; path: string }[] }) {
  return links.length > 0 ? (
    <p className="row wrap-row">
      {links.map(({ label, path }) => (
        <a key={path} className="btn" href={path}>
          {label}
        </a>
      ))}
    </p>
  ) : null
}
