import { storeKindOf } from '#domain/branded-stores/branded-stores.ts'
import { redirect, type RouterContextProvider } from 'react-router'
import { capabilities } from '#app/content/capabilities.ts'
import { findPage, type WrittenPage } from '#app/content/pages.server.ts'
import { shopContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { dateText } from '#platform/day-text.ts'

/** Returns the page of copy at an address. Throws a redirect to its canonical spelling, or a 404. */
export async function readWrittenPage(url: URL, context: Readonly<RouterContextProvider>) {
  const { content, config, brandedStore } = context.get(shopContext)
  const page = await findPage(url.pathname.slice(1).toLowerCase(), content.current, storeKindOf(brandedStore))
  if (!page) throw new Response(null, { status: 404 })
  if (url.pathname !== page.address) throw redirect(`${page.address}${url.search}`, 301)
  return writtenView(page, config)
}

/** What a page of copy shows. */
export function writtenView(page: WrittenPage, { demo }: { demo: boolean }) {
  const { title, description, html, headings, related, isPolicy, address: path } = page
  const crumbs = isPolicy ? [{ label: 'Help center', path: paths.help() }] : [{ label: 'Home', path: paths.home() }]
  return {
    title,
    description,
    html,
    headings,
    related,
    path,
    crumbs,
    doors: 'doors' in page ? page.doors : [],
    updated: { day: page.updated, text: dateText(page.updated) },
    note:
      'requires' in page && page.requires && !capabilities[page.requires]
        ? 'Not open yet. This page explains how it will work.'
        : isPolicy && demo
          ? 'Demo store. This is sample text for retailers to replace.'
          : null,
  }
}
