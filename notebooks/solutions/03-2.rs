#[derive(Default)]
struct MyCheck {
    mark: Token,
}

impl Admit for MyCheck {
    fn admit(&mut self, request: &Request) -> bool {
        if request.token < self.mark {
            return false;
        }
        self.mark = request.token;
        true
    }
}

check_03_2(MyCheck::default)
