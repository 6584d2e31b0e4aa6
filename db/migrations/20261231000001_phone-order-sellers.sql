comment on column sales_order.sold_by is 'The email of the staff member who placed the order for the customer, or whose quote it was placed from; null for an order that the customer put together.';
