-- A car is here, or finished, only once every tire of its job was counted: a shop's pay hangs on it. The day is checked
-- by the use case, which knows the shop's clock.
create function work_order_pieces_missing(of_booking uuid, of_order bigint) returns bigint stable language sql as $$
  select coalesce(sum(greatest(line.quantity - canceled_units(line.order_id, line.line_no) - coalesce(piece.received, 0), 0)), 0)
  from order_line line
  left join work_order_piece piece on piece.booking_id = of_booking and piece.line_no = line.line_no
  where line.order_id = of_order and line.kind = 'tire'
$$;
comment on function work_order_pieces_missing is 'How many tires of a job the shop has not counted yet.';

create function work_order_needs_pieces() returns trigger language plpgsql as $$
declare
  missing bigint;
begin
  if new.state not in ('arrived', 'done') or new.state = old.state then
    return new;
  end if;
  missing := work_order_pieces_missing(new.booking_id, new.order_id);
  if missing > 0 then
    raise exception 'The work order of booking % lacks % pieces.', new.booking_id, missing
      using errcode = 'check_violation', constraint = 'work_order_has_every_piece';
  end if;
  return new;
end $$;
-- By its name it runs after work_order_life, which judges the move itself.
create trigger work_order_pieces before update on work_order for each row execute function work_order_needs_pieces();
comment on trigger work_order_pieces on work_order is 'A car is here or finished only with every tire counted.';

create function work_order_piece_stays() returns trigger language plpgsql as $$
begin
  if exists (select from work_order where booking_id = coalesce(old.booking_id, new.booking_id) and state = 'done') then
    raise exception 'The pieces of a finished job stay as they were counted.' using errcode = 'check_violation', constraint = 'work_order_piece_stays';
  end if;
  return coalesce(new, old);
end $$;
create trigger work_order_piece_stays before insert or update or delete on work_order_piece for each row execute function work_order_piece_stays();
comment on trigger work_order_piece_stays on work_order_piece is 'What was counted of a finished job is not changed.';
