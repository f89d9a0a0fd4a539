/// What is on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Disk {
    record: Record,
    token: Token,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct ThriftyStore {
    disk: Disk,
    mark: Token,
}

impl ThriftyStore {
    fn admit(&mut self, token: Token) -> Result<(), Refused> {
        if token < self.mark {
            return Err(Refused { mark: self.mark });
        }
        self.mark = token;
        self.disk.token = token;
        Ok(())
    }
}

impl Store for ThriftyStore {
    fn read(&mut self, token: Token) -> Result<Record, Refused> {
        self.admit(token)?;
        Ok(self.disk.record)
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        self.admit(write.token)?;
        let version = self.disk.record.version + 1;
        self.disk = Disk { record: Record { value: write.value, version }, token: write.token };
        Ok(())
    }
}

impl Restart for ThriftyStore {
    type Disk = Disk;
    fn disk(&self) -> &Disk {
        &self.disk
    }
    fn start(disk: Disk) -> ThriftyStore {
        ThriftyStore { disk, mark: disk.token }
    }
}

check_07_3(ThriftyStore::default())
