import { readArticle } from '#app/content/library.server.ts'
import { paths } from '#app/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import type { Route } from './+types/terms-of-sale.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData ? pageHead(matches, { title: loaderData.title, description: loaderData.description, path: paths.termsOfSale() }) : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader() {
  const { title, description, html } = await readArticle('policies', 'terms-of-sale')
  return { title, description, html }
}

export default function TermsOfSale({ loaderData }: Route.ComponentProps) {
  return (
    <article className="wrap prose">
      <h1>{loaderData.title}</h1>
      <div dangerouslySetInnerHTML={{ __html: loaderData.html }} />
    </article>
  )
}
