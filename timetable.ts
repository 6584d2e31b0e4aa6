/** When the worker's scheduled jobs run, in UTC, as graphile-worker reads it. */

/** `isBuying`: a synthetic buyer tries the store of a demo. */
export function timetable({ isBuying }: { isBuying: boolean }): string {
  return [
    '* * * * * expire-holds',
    // Every zone has its own midnight.
    '*/5 * * * * close-due-shops',
    // One at a time, without catching up, because a late test purchase isn't evidence.
    ...(isBuying ? ['* * * * * buy-synthetically ?max=1&jobKey=buy-synthetically'] : []),
    '* * * * * tell-of-earlier-times',
    '* * * * * watch-agent-orders',
    '* * * * * expire-quotes',
    '* * * * * plan-supplier-feeds',
    // One at a time, because a supplier with many tires takes several minutes.
    '*/10 * * * * query-suppliers ?max=1&jobKey=query-suppliers',
    // One at a time, because suppliers' file servers can be slow.
    '*/5 * * * * collect-supplier-files ?max=3&jobKey=collect-supplier-files',
    // Each queues a second run for half a minute later.
    '* * * * * send-google-listings ?max=3&jobKey=send-google-listings',
    '*/5 * * * * expire-approvals',
    '* * * * * tell-purchasing-systems',
    '* * * * * expire-order-changes',
    '* * * * * release-abandoned-charges',
    '* * * * * cancel-unanswered-orders',
    // Deliveries due for a retry. New ones start the job themselves. One at a time, so that slow endpoints don't delay
    // other jobs.
    '* * * * * deliver-webhooks ?queue=webhooks&jobKey=deliver-webhooks',
    '*/10 * * * * watch-charges',
    '*/10 * * * * remind-of-unconfirmed-orders',
    '*/10 * * * * tell-of-delays',
    '5 15 * * * remind-of-pickups',
    '*/10 * * * * forget-old-attempts',
    '*/10 * * * * sweep-files',
    '*/5 * * * * count-reports',
    '*/10 * * * * email-reports',
    '*/10 * * * * email-shop-summaries',
    '*/10 * * * * email-queue-digests',
    '*/5 * * * * send-due-payouts',
    '17 * * * * forget-old-sign-ins',
    '37 * * * * forget-old-answers',
    // One at a time, and missed runs are skipped, because an hour-old response is gone.
    '23 * * * * check-payment-pages ?max=3&jobKey=check-payment-pages',
    // At night in every time zone the store serves.
    '20 9 * * * forget-what-is-over',
    '40 9 * * * count-reports-again',
    '10 9 * * * write-feeds',
    '50 9 * * * watch-recalls',
    '30 9 * * * reconcile',
    '20 14 * * * remind-of-rotations',
    '10 16 * * * invite-reviews',
    // Every zone has its own morning.
    '*/10 * * * * remind-of-appointments',
    '37 * * * * settle-referrals',
    '47 * * * * book-commissions',
    '40 14 * * * remind-of-memberships',
    '*/10 * * * * renew-memberships',
    '50 14 * * * remind-of-invoices',
  ].join('\n')
}
