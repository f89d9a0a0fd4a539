#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct MyStore {
    record: Record,
    mark: Token,
}

impl Store for MyStore {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        self.mark = self.mark.max(token);
        Ok(self.record)
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        if write.token < self.mark {
            return Err(Refused { mark: self.mark });
        }
        self.mark = write.token;
        self.record = Record { value: write.value, version: self.record.version + 1 };
        Ok(())
    }
}

check_07_2(MyStore::default())
