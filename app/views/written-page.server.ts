import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { redirect, type RouterContextProvider } from 'react-router'
import { capabilities } from '#app/content/capabilities.ts'
import { findPage, type WrittenPage } from '#app/content/pages.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { escapeHtml, fillStore } from '#app/content/store-values.ts'
import { paths } from '#content/paths.ts'
import { isLegal } from '#domain/kernel/content/content.ts'
import type { Config } from '#platform/config.ts'
import { dateText } from '#platform/day-text.ts'

/** Returns the page of copy at an address. Throws a redirect to its canonical spelling, or a 404. */
export async function readWrittenPage(url: URL, context: Readonly<RouterContextProvider>) {
  const { content, config, brandedStore } = context.get(applicationContext)
  const page = await findPage(url.pathname.slice(1).toLowerCase(), content.current, storeKindOf(brandedStore))
  if (!page) throw new Response(null, { status: 404 })
  if (url.pathname !== page.address) throw redirect(`${page.address}${url.search}`, 301)
  return writtenView(page, config, { isDraft: isLegal(page.path) && !content.isPublished(page.path) })
}

/** What a page of copy shows. */
export function writtenView(
  page: WrittenPage,
  { demo, store }: Pick<Config, 'demo' | 'store'>,
  { isDraft = false }: { isDraft?: boolean } = {},
) {
  const { related, isPolicy, address: path } = page
  const fill = (text: string) => fillStore(text, store)
  const crumbs = isPolicy ? [{ label: 'Help center', path: paths.help() }] : [{ label: 'Home', path: paths.home() }]
  return {
    title: fill(page.title),
    description: fill(page.description),
    html: fillStore(page.html, store, escapeHtml),
    headings: page.headings.map((heading) => ({ ...heading, text: fill(heading.text) })),
    isDraft,
    related,
    path,
    crumbs,
    doors: 'doors' in page ? page.doors : [],
    updated: { day: page.updated, text: dateText(page.updated) },
    note:
      'requires' in page && page.requires && !capabilities[page.requires]
        ? 'Not open yet. This page explains how it will work.'
        : isDraft
          ? 'Draft. The store hasn’t published this page yet.'
          : isPolicy && demo
            ? 'Demo store. This is sample text for retailers to replace.'
            : null,
  }
}
