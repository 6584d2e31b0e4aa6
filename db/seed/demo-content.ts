/** The demo's draft of a content page, which staff can preview and publish, and the pages that its owner published. */
import type { PoolClient } from 'pg'
import { legalPages } from '#domain/kernel/content/content.ts'
import { insertRows } from '#db/insert-rows.ts'

const body = `Buying tires has three hard parts, knowing what fits, knowing what it costs, and getting it done. We do all three in one place and show our work.

## This winter

- Winter tires are in stock from October, and so are the people who mount them.
- Appointments can be moved until {{moveNoticeMinutes minute}} before they start.
- Not sure whether you need them? Read [winter or all-weather](/learn/choosing-tires/winter-or-all-weather).

## What stays the same

The price you see is the price you pay, out the door. Unmounted tires come back within {{returnDays day}}.
`

/** Inserts the draft and the published pages as of `now`. */
export async function loadContentDraft(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const draft = {
    id: 1,
    path: 'pages/about',
    form_key: '00000000-0000-4000-8000-000000000501',
    title: 'About this store',
    description:
      'Tires that really fit, the whole price before you pay, and an appointment nearby. What is new this winter.',
    body,
    created_by: 'catalog@example.com',
    created_at: now.subtract({ hours: 5 }).toString(),
    starts_at: null,
    published_by: null,
  }
  await insertRows(client, 'content_version', [draft, ...publishedPages(now)], 'id')
}

/** The pages that bind the store, as the demo's owner published them. */
function publishedPages(now: Temporal.Instant) {
  return legalPages.map((path, index) => ({
    id: 2 + index,
    path,
    title: null,
    description: null,
    body: null,
    form_key: `00000000-0000-4000-8000-00000000051${index}`,
    created_by: 'owner@example.com',
    created_at: now.subtract({ hours: 48 }).toString(),
    starts_at: now.subtract({ hours: 48 }).toString(),
    published_by: 'owner@example.com',
  }))
}
