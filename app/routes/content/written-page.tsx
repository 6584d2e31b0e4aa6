import { pageHead } from '#app/ui/page-head.ts'
import { WrittenArticle } from '#app/ui/written-article.tsx'
import { readWrittenPage } from '#app/views/written-page.server.ts'
import type { Route } from './+types/written-page.ts'

/** Policies, programs, and landing pages from Markdown in content/, at single-segment paths. */
export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, { title: loaderData.title, description: loaderData.description, path: loaderData.path })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export function loader({ url, context }: Route.LoaderArgs) {
  return readWrittenPage(url, context)
}

export default function WrittenPage({ loaderData }: Route.ComponentProps) {
  return <WrittenArticle page={loaderData} />
}
