#[derive(Clone, Copy, Default)]
struct Disk {
    record: Record,
    mark: Token,
}

#[derive(Default)]
struct MyStore {
    disk: Disk,
}

impl MyStore {
    fn admit(&mut self, token: Token) -> Result<(), Refused> {
        if token < self.disk.mark {
            return Err(Refused { mark: self.disk.mark });
        }
        self.disk.mark = token;
        Ok(())
    }
}

impl Store for MyStore {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        self.admit(token)?;
        Ok(self.disk.record)
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        self.admit(write.token)?;
        let version = self.disk.record.version + 1;
        self.disk.record = Record { value: write.value, version };
        Ok(())
    }
}

impl Restart for MyStore {
    type Disk = Disk;
    fn disk(&self) -> &Disk {
        &self.disk
    }
    fn start(disk: Disk) -> MyStore {
        MyStore { disk }
    }
}

check_03_3(MyStore::default)
