-- Many banks answer a pain.001 with pain.002.
alter table bank_files drop constraint bank_files_format_check;
alter table bank_files add constraint bank_files_format_check check (format in
  ('nacha', 'nacha_return', 'acknowledgement', 'pain.001', 'pain.002', 'pacs.002', 'camt.054', 'camt.053', 'webhook',
    'unknown'));
