-- Who bought: the account by whose terms an order was priced. It may own the cart from the start, and is told apart from an account that an order made
-- as a guest joins later.
alter table sales_order add column buyer_id uuid references account on delete set null;
update sales_order set buyer_id = cart.account_id from cart where cart.id = sales_order.cart_id and cart.account_id is not null;
create index sales_order_by_buyer on sales_order (buyer_id, placed_at) where buyer_id is not null;

-- What a shop asks for is written with the shop locked, so that an order that holds on to the shop holds on to its prices.
create function lock_shop_of_rate() returns trigger language plpgsql as $$
begin
  perform from shop where id = case tg_op when 'INSERT' then new.shop_id else old.shop_id end for no key update;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger shop_rate_locks_its_shop before insert or update or delete on shop_rate for each row execute function lock_shop_of_rate();
