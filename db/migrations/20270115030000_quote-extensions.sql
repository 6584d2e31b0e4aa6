-- Staff can extend a sent quote. Its last day moves later, and everything else stays as sent.
create or replace function quote_moves() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (
    select from (values
      ('draft', 'needs-approval'), ('draft', 'sent'), ('draft', 'withdrawn'),
      ('needs-approval', 'draft'), ('needs-approval', 'sent'), ('needs-approval', 'withdrawn'),
      ('sent', 'delivered'), ('sent', 'bounced'), ('sent', 'opened'), ('sent', 'ordered'), ('sent', 'expired'), ('sent', 'withdrawn'), ('sent', 'replaced'),
      ('delivered', 'bounced'), ('delivered', 'opened'), ('delivered', 'ordered'), ('delivered', 'expired'), ('delivered', 'withdrawn'), ('delivered', 'replaced'),
      ('bounced', 'opened'), ('bounced', 'ordered'), ('bounced', 'expired'), ('bounced', 'withdrawn'), ('bounced', 'replaced'),
      ('opened', 'ordered'), ('opened', 'expired'), ('opened', 'withdrawn'), ('opened', 'replaced')
    ) as move (was, becomes) where was = old.state and becomes = new.state) then
    raise exception 'Quote % cannot become % from %.', new.id, new.state, old.state using errcode = 'check_violation', constraint = 'quote_moves';
  end if;
  if old.state not in ('draft', 'needs-approval') and (new.price_label, new.total_cents, new.email, new.sent_at)
    is distinct from (old.price_label, old.total_cents, old.email, old.sent_at) then
    raise exception 'Quote % was sent and is not edited.', new.id using errcode = 'check_violation', constraint = 'quote_moves';
  end if;
  if old.state not in ('draft', 'needs-approval') and (new.expires_at, new.good_through_on) is distinct from (old.expires_at, old.good_through_on)
    and (new.state <> old.state or old.state not in ('sent', 'delivered', 'bounced', 'opened')
      or new.expires_at <= old.expires_at or new.good_through_on <= old.good_through_on) then
    raise exception 'Quote % can only be extended while it is open.', new.id using errcode = 'check_violation', constraint = 'quote_moves';
  end if;
  return new;
end $$;
comment on trigger quote_moves on sales_quote is 'A quote moves along its states only. A sent quote stays as sent, except for a later last day.';
