-- A discarded draft left its request for approval on the list of the second person.
update concession set state = 'declined', decided_by = 'migration', decided_at = greatest(requested_at, now())
where state = 'requested' and (
  kind = 'promotion' and not exists (select from promotion_plan where id::text = reference and promotion_id is null)
  or kind = 'coupon' and not exists (select from coupon where id::text = reference and starts_at is null)
  or kind = 'price-list' and not exists (select from price_list_version where id::text = reference and starts_at is null));
