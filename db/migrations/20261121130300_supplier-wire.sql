-- Purchase orders that go to suppliers over a wire, and what suppliers answer.
alter table supplier add column network_id text unique check (network_id ~ '^[A-Za-z0-9._-]{1,40}$');
comment on column supplier.network_id is 'Its identity on the purchasing network; null: staff place its orders and record its answers.';

alter table purchase_order
  -- Asked again after a rejection, it is another order to the supplier.
  add column asked_no smallint not null default 1 check (asked_no between 1 and 99),
  add column sent_at timestamptz,
  add column withdrawn_at timestamptz,
  add column shipped_at timestamptz,
  add column ship_notice text check (length(ship_notice) between 1 and 100),
  add constraint purchase_order_sent_once_released check (sent_at is null or released_at is not null),
  add constraint purchase_order_shipped_with_notice check ((shipped_at is null) = (ship_notice is null));
comment on column purchase_order.sent_at is 'When the supplier’s system took it, as asked last.';
comment on column purchase_order.withdrawn_at is 'When the supplier’s system took that it is not wanted any more.';

alter table purchase_order_line
  add column filled_units smallint not null default 0 check (filled_units >= 0),
  add column rejected_units smallint not null default 0 check (rejected_units >= 0),
  add column backordered_units smallint not null default 0 check (backordered_units >= 0),
  add constraint purchase_order_line_adds_up check (filled_units + rejected_units + backordered_units in (0, quantity));
comment on constraint purchase_order_line_adds_up on purchase_order_line is 'A supplier answers for every unit or for none.';

update purchase_order_line line set filled_units = quantity
from purchase_order po where po.id = line.purchase_order_id and po.state = 'accepted';
update purchase_order_line line set rejected_units = quantity
from purchase_order po where po.id = line.purchase_order_id and po.state = 'rejected';

create table supplier_message (
  supplier_id smallint not null references supplier,
  payload_id text not null check (length(payload_id) between 1 and 200),
  purchase_order_id bigint not null references purchase_order on delete cascade,
  kind text not null check (kind in ('confirmation', 'ship-notice')),
  summary text not null check (length(summary) between 1 and 500),
  -- What it was answered with, and is again if it is sent again.
  answer_code smallint not null,
  received_at timestamptz not null,
  primary key (supplier_id, payload_id)
);
comment on table supplier_message is 'What suppliers sent about purchase orders, each message once.';
create index supplier_message_by_order on supplier_message (purchase_order_id, received_at);
